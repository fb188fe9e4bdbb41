import { z } from "zod";

/**
 * The address of a node's interface. A name or a password has no place in it: no call could be made with one, and the error that says
 * so shows the whole address (Fetch Standard, "Request class").
 */
export const nodeUrl = z.url({ protocol: /^https?$/ }).refine((text) => {
  // it is asked of what is no address at all as well
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}, "holds a name or a password, with which no call can be made");

/** Shorter parts of an address are no keys. */
const KEY_LENGTH_MIN = 12;

/** Of a node's words so many characters are looked through: a key that begins within those that are shown ends within these. */
const LOOKED_THROUGH_MAX = 20_000;

/** Words without keys, cut to so many characters. */
export type HideKeys = (words: string, most: number) => string;

/**
 * Hides what may be a key in a node's words: providers have theirs in the path or the query of an address, and what stands before a
 * node often repeats the path that it does not know (INV-10).
 * @param url of the node
 * @param keys further ones
 */
export const hidingKeys = (url: string, ...keys: readonly string[]): HideKeys => {
  const { pathname, search, searchParams } = new URL(url);
  // as they stand in the address, and as they are meant: words may repeat either
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
