/** The service asks for no extensions, so it reads none. */
export const withoutExtensions = <Sent extends object>(credential: Sent) => ({
  ...credential,
  clientExtensionResults: {},
});
