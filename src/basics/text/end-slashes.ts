/** A pattern such as `/+$` takes time in the square of the slashes, where others sent the text. */
export const withoutEndSlashes = (text: string): string => {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
};
