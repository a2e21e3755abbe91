const tilde = 0x7e;
const dot = 0x2e;
const isLineEnd = (byte: number): boolean => byte === 0x0d || byte === 0x0a;

export interface Typed {
  /** What goes to the instance. */
  bytes: Buffer;
  /** The user has had enough; nothing typed after it counts. */
  hangsUp: boolean;
}

/**
 * What people know from OpenSSH: at the beginning of a line `~.` hangs up, even when the other end is silent, and `~~` types one
 * `~`. A `~` waits for what follows it. Everything else goes on untouched, whatever its bytes mean.
 */
export class EscapeKeys {
  #isLineStart = true;
  #isWaiting = false;

  take(typed: Buffer): Typed {
    const bytes = Buffer.allocUnsafe(typed.length + 1);
    let length = 0;
    for (const byte of typed) {
      if (this.#isWaiting && byte === dot) return { bytes: bytes.subarray(0, length), hangsUp: true };
      if (this.#isWaiting && byte !== tilde) length = bytes.writeUInt8(tilde, length);
      const begins = this.#isLineStart && !this.#isWaiting && byte === tilde;
      if (!begins) length = bytes.writeUInt8(byte, length);
      this.#isLineStart = isLineEnd(byte);
      this.#isWaiting = begins;
    }
    return { bytes: bytes.subarray(0, length), hangsUp: false };
  }
}
