/**
 * The editor lives in a shadow root: there it uses constructed style sheets, which the policy of the page allows. In the
 * document it would add style elements, which the policy refuses.
 */
export function shadowOf(host: HTMLElement): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true });
  root.replaceChildren();
  return root;
}
