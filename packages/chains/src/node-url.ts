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

/**
 * Hides what may be a key in a node's words: providers have theirs in the path or the query of an address, and what stands before a
 * node often repeats the path that it does not know (INV-10).
 * @param url of the node
 * @param keys further ones
 */
export const hidingKeys = (url: string, ...keys: readonly string[]): ((words: string) => string) => {
  const { pathname, searchParams } = new URL(url);
  const parts = [...pathname.split("/"), ...searchParams.values(), ...keys];
  const secrets = parts.filter(({ length }) => length >= KEY_LENGTH_MIN);
  return (words) => secrets.reduce((shown, secret) => shown.replaceAll(secret, "…"), words);
};
