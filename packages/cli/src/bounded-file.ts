import { open } from "node:fs/promises";

/** The text of a file, or why it could not be read. */
export type BoundedText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unreadable"; readonly why: string };

const unreadable = (why: string): BoundedText => ({ kind: "unreadable", why });

/**
 * Reads a UTF-8 file from an untrusted source. It is opened once, and its size is checked before its content is read.
 * @param most bytes
 * @param contents begins the sentence of a refusal, as a subject with its verb: "attestations have"
 */
export const readBounded = async (path: string, most: number, contents: string): Promise<BoundedText> => {
  try {
    await using file = await open(path, "r");
    const stat = await file.stat();
    if (!stat.isFile()) return unreadable("it is no file");
    if (stat.size > most) return unreadable(`it has ${stat.size} bytes, and ${contents} at most ${most}`);
    return { kind: "text", text: await file.readFile("utf8") };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "no reason given";
    return unreadable(`it cannot be read (${code})`);
  }
};
