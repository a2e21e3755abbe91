/** Signs in; returns the token and the API document. */
export async function callAsLogin(url, login) {
  const reply = await fetch(`${url}/v3/access_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  });
  const { access_token: token } = await reply.json();
  if (!token) throw new Error(`Signing in answered ${reply.status}.`);
  return { token, openapi: await (await fetch(`${url}/openapi.json`)).json() };
}

/** Method and path of every route that takes a body. Values in the path are of things that do not exist. */
export const routesWithBody = ({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation?.requestBody)
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, 'nothing') })),
  );
