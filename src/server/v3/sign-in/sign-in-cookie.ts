/** The browser's proof that it started a sign-in. */
export interface SignInCookie {
  /** Header that sets it; an empty value deletes it. */
  set(value: string, seconds: number): string;
  /** Empty: there is none. */
  read(header: string | undefined): string;
}

/** Over TLS, the prefix keeps other hosts of the domain from setting the cookie. */
export function signInCookie(baseUrl: string): SignInCookie {
  const isSecure = baseUrl.startsWith('https:');
  const name = isSecure ? '__Host-almanac_sign_in' : 'almanac_sign_in';
  return {
    set: (value, seconds) =>
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    read: (header = '') =>
      header
        .split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(`${name}=`))
        ?.slice(name.length + 1) ?? '',
  };
}
