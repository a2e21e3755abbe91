const tilde = 0x7e;
const dot = 0x2e;
const isLineEnd = (byte: number): boolean => byte === 0x0d || byte === 0x0a;

export interface FilteredInput {
  /** Bytes for the instance. */
  bytes: Buffer;
  /** The user typed `~.`; input after it is ignored. */
  disconnects: boolean;
}

/**
 * Escape sequences of OpenSSH: at the beginning of a line `~.` disconnects, even from an unresponsive instance, and `~~` types one
 * `~`. A `~` is held back until the next byte. All other bytes pass unchanged.
 */
export class EscapeKeys {
  #isLineStart = true;
  #isPending = false;

  filter(input: Buffer): FilteredInput {
    const bytes = Buffer.allocUnsafe(input.length + 1);
    let length = 0;
    for (const byte of input) {
      if (this.#isPending && byte === dot) return { bytes: bytes.subarray(0, length), disconnects: true };
      if (this.#isPending && byte !== tilde) length = bytes.writeUInt8(tilde, length);
      const startsEscape = this.#isLineStart && !this.#isPending && byte === tilde;
      if (!startsEscape) length = bytes.writeUInt8(byte, length);
      this.#isLineStart = isLineEnd(byte);
      this.#isPending = startsEscape;
    }
    return { bytes: bytes.subarray(0, length), disconnects: false };
  }
}
