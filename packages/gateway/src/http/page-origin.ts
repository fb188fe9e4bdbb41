import { z } from "zod";

/** Stands for pages of this machine on any port, as developers' servers use any free one. */
const LOCALHOST = "localhost";
const OF_THIS_MACHINE = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/** The origins whose pages may call the API: exact origins, and "localhost" for all of this machine. */
export type PageOrigins = readonly string[];

const isOrigin = (text: string): boolean => {
  const url = /^https?:[^*]*$/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  return url?.origin === text;
};

/** for example localhost,https://app.example,… */
export const pageOriginsSchema = z
  .string()
  .transform((text): PageOrigins => (text === "" ? [] : text.split(",").map((each) => each.trim())))
  .refine((origins) => origins.every((each) => each === LOCALHOST || isOrigin(each)), {
    error: "is not localhost or <scheme>://<host>, or several with commas between",
  });

/** Whether pages of this origin may call: the browser's header is compared as a whole, and "null" is never accepted. */
export const isPageOrigin = (origins: PageOrigins, origin: string): boolean =>
  origins.some((each) => (each === LOCALHOST ? OF_THIS_MACHINE.test(origin) : each === origin));
