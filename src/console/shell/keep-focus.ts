import { type RefObject, useEffect, useRef } from 'react';

/** Where the focus was, and what is around it: known before it is removed. */
interface Place {
  element: Element;
  around: readonly Element[];
  path: string;
}

function placeOf(element: Element): Place {
  const around: Element[] = [];
  for (let each = element.parentElement; each; each = each.parentElement) around.push(each);
  return { element, around, path: location.pathname };
}

/** The heading of the card in which the focus was; of the page if the card is gone or the page is another one. */
function headingFor({ around, path }: Place, content: Element): HTMLElement | null {
  const card =
    path === location.pathname ? around.find((each) => each.isConnected && each.tagName === 'SECTION') : null;
  return card?.querySelector<HTMLElement>('h2') ?? content.querySelector<HTMLElement>('h1');
}

function focusOn(element: HTMLElement, place: Place): void {
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
  // A page that is new begins at its top; one that has lost a row stays where it is.
  element.focus({ preventScroll: place.path === location.pathname });
}

/** Follows the focus inside the content. Returns a function that stops it. */
function keepFocus(content: HTMLElement): () => void {
  let last: Place | null = null;
  /** Set while the content itself has the focus, because the heading of a new page is on its way. */
  let waiting: Place | null = null;
  const isLost = (): boolean => document.activeElement === document.body;
  const entered = ({ target }: FocusEvent): void => {
    if (target instanceof Element) last = placeOf(target);
  };
  const left = ({ target }: FocusEvent): void => {
    waiting = null;
    // A click beside everything leaves the element; a removed element was not left.
    queueMicrotask(() => {
      if (isLost() && target instanceof Element && target.isConnected) last = null;
    });
  };
  const changed = (): void => {
    const place = waiting ?? (last && isLost() && !last.element.isConnected ? last : null);
    if (!place) return;
    const heading = headingFor(place, content);
    if (heading) focusOn(heading, place);
    else if (!waiting) {
      focusOn(content, place);
      waiting = place;
    }
  };
  const observer = new MutationObserver(changed);
  observer.observe(content, { childList: true, subtree: true });
  content.addEventListener('focusin', entered);
  content.addEventListener('focusout', left);
  return () => {
    observer.disconnect();
    content.removeEventListener('focusin', entered);
    content.removeEventListener('focusout', left);
  };
}

/** What had the focus may be removed, by a deletion or by another page: it then goes to a heading, never to nothing. */
export function useKeptFocus(): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  useEffect(() => (content.current ? keepFocus(content.current) : undefined), []);
  return content;
}
