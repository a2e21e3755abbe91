interface Sent {
  clientExtensionResults?: Record<string, unknown> | undefined;
  authenticatorAttachment?: string | undefined;
}

/** Nothing depends on the extensions or the kind of the device, so they are not passed on. */
export const withExtensions = <Credential extends Sent>({
  clientExtensionResults: _extensions,
  authenticatorAttachment: _attachment,
  ...credential
}: Credential) => ({ ...credential, clientExtensionResults: {} });
