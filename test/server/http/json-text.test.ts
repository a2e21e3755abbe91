import { describe, expect, it } from 'vitest';
import { JsonText, jsonList, keptTexts } from '../../../src/server/http/send/json-text.ts';

const texts = (...values: number[]) => values.map((value) => new JsonText<number>(String(value)));

describe('a list of texts', () => {
  it('is the same, with its bytes and its tag, as long as it has the same items', () => {
    const items = texts(1, 2, 3);
    const list = jsonList(items);
    expect(jsonList([...items])).toBe(list);
    expect(list.bytes.toString()).toBe('[1,2,3]');
    expect(jsonList([...items]).bytes).toBe(list.bytes);
  });

  it('is another one with another tag if an item is added, missing, replaced or moved, in any order of requests', () => {
    const [one, two, three] = texts(1, 2, 3) as [JsonText<number>, JsonText<number>, JsonText<number>];
    const [other] = texts(4) as [JsonText<number>];
    const lists = [
      [one, two, three],
      [one, two],
      [one, other, three],
      [one, three, two],
      [one],
      [one, two, three],
    ];
    expect(lists.map((items) => jsonList(items).text)).toEqual([
      '[1,2,3]',
      '[1,2]',
      '[1,4,3]',
      '[1,3,2]',
      '[1]',
      '[1,2,3]',
    ]);
    expect(new Set(lists.map((items) => jsonList(items).tag)).size).toBe(5);
  });

  it('can be empty', () => {
    expect(jsonList([]).text).toBe('[]');
  });
});

it('the text of a value is made once, and another one for another value that looks the same', () => {
  let made = 0;
  const textOf = keptTexts(({ name }: { name: string }) => {
    made += 1;
    return name;
  });
  const value = { name: 'a' };
  expect(textOf(value)).toBe(textOf(value));
  expect([textOf({ ...value }).text, made]).toEqual(['"a"', 2]);
});
