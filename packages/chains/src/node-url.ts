import { z } from "zod";

/**
 * The address of a node's interface. A name or a password has no place in it: no call could be made with one, and the error that says
 * so shows the whole address (Fetch Standard, "Request class").
 */
export const nodeUrl = z.url({ protocol: /^https?$/ }).refine((text) => {
  const { username, password } = new URL(text);
  return username === "" && password === "";
}, "holds a name or a password, with which no call can be made");
