import { z } from "zod";

/**
 * The URL of a node's interface. A user name or password in it is refused: no call could be made with it, and the resulting
 * error shows the whole URL (Fetch Standard, "Request class").
 */
export const nodeUrl = z.url({ protocol: /^https?$/ }).refine((text) => {
  // this check also runs for texts that are no URL
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}, "holds a name or a password, with which no call can be made");

/** Shorter parts of a URL are not treated as keys. */
const KEY_LENGTH_MIN = 12;

/** Characters of a node's words that are searched for keys: enough that a key which begins in the shown part ends within them. */
const LOOKED_THROUGH_MAX = 20_000;

/** Removes keys from words, and cuts the words to a length. */
export type HideKeys = (words: string, most: number) => string;

/**
 * Hides possible keys in a node's words (INV-10): providers put keys into the URL's path or query, and a proxy often repeats an
 * unknown path.
 * @param url of the node
 * @param keys further keys
 */
export const hidingKeys = (url: string, ...keys: readonly string[]): HideKeys => {
  const { pathname, search, searchParams } = new URL(url);
  // both URL-encoded and decoded, as words may repeat either form
  const written = search
    .slice(1)
    .split("&")
    .map((pair) => pair.slice(pair.indexOf("=") + 1));
  const parts = [...pathname.split("/"), ...written, ...searchParams.values(), ...keys];
  const secrets = parts.filter(({ length }) => length >= KEY_LENGTH_MIN);
  return (words, most) =>
    secrets
      .reduce((shown, secret) => shown.replaceAll(secret, "…"), words.slice(0, LOOKED_THROUGH_MAX))
      .slice(0, most);
};
