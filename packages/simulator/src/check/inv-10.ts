import { bytesToHex } from "@noble/hashes/utils.js";
import type { Violation } from "./violation.ts";

/** A secret of a world, 31 bytes or more. */
export interface WorldSecret {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A text that a process wrote where others read it. Bytes are characters of Latin-1. */
export interface SaidText {
  /** such as a statement, or the log of a service */
  readonly where: string;
  readonly text: string;
}

interface Form {
  readonly secret: string;
  readonly encoding: string;
  readonly text: string;
}

/** Characters of a text that are looked up at once. */
const GRAM = 16;
/** A text of so many characters holds a whole gram, wherever it lies in another text. */
export const SHORTEST_FORM: number = 2 * GRAM - 1;

/** INV-10: no secret is in clear in anything that processes say, log or store, as bytes or in a usual encoding. */
export const secretsInClear = (
  secrets: readonly WorldSecret[],
  said: readonly SaidText[],
): readonly Violation[] => {
  const forms = formsByGram(secrets);
  const found = new Map<string, Violation>();
  for (const { where, text } of said)
    for (let at = 0; at + GRAM <= text.length; at += GRAM)
      for (const { secret, encoding, text: form } of forms.get(text.slice(at, at + GRAM)) ?? [])
        if (text.includes(form)) {
          const words = `${secret} is in clear, as ${encoding}, in ${where}`;
          found.set(words, { invariant: "INV-10", words });
        }
  return [...found.values()];
};

/** The forms of secrets by their first grams: one of these begins at a multiple of the length of grams wherever a form lies in a text. */
const formsByGram = (secrets: readonly WorldSecret[]): ReadonlyMap<string, readonly Form[]> => {
  const byGram = new Map<string, Form[]>();
  for (const form of secrets.flatMap(formsOf)) {
    if (form.text.length < SHORTEST_FORM) throw new Error(`${form.secret} is too short to be looked for`);
    for (let at = 0; at < GRAM; at += 1) {
      const gram = form.text.slice(at, at + GRAM);
      const known = byGram.get(gram) ?? [];
      if (!known.includes(form)) known.push(form);
      byGram.set(gram, known);
    }
  }
  return byGram;
};

const formsOf = ({ name: secret, bytes }: WorldSecret): readonly Form[] => {
  const hex = bytesToHex(bytes);
  const standard = [0, 1, 2].map((shift) => base64Inside(bytes, shift));
  const texts: readonly (readonly [string, string])[] = [
    ["bytes", Buffer.from(bytes).toString("latin1")],
    ["hex", hex],
    ["hex", hex.toUpperCase()],
    ["a decimal number", BigInt(`0x${hex}`).toString()],
    ...standard.map((text) => ["base64", text] as const),
    ...standard.map((text) => ["base64url", text.replaceAll("+", "-").replaceAll("/", "_")] as const),
  ];
  return texts.map(([encoding, text]) => ({ secret, encoding, text }));
};

const BYTE_BITS = 8;
const DIGIT_BITS = 6;

/** The characters of Base64 that these bytes alone decide, after so many other bytes of a group of three. */
const base64Inside = (bytes: Uint8Array, shift: number): string => {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  const from = Math.ceil((shift * BYTE_BITS) / DIGIT_BITS);
  return encoded.slice(from, Math.floor(((shift + bytes.length) * BYTE_BITS) / DIGIT_BITS));
};
