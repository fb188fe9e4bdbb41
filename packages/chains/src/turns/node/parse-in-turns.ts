import { parseExactIntegers } from "../../answers/exact-integers.ts";
import { jsonPieces } from "../../answers/json-pieces.ts";
import { flatMapInTurns } from "./in-turns.ts";

/** A shorter text is parsed at once, in about two milliseconds. */
const SHORT_BYTES = 128 * 1024;

type Lists = readonly (readonly unknown[])[];

/** Replaces the numbers of pieces, in lists at a depth, by the elements of those pieces. */
const withElements = (value: unknown, depth: number, pieces: Lists): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return depth === 1
      ? value.flatMap((piece) => pieces[Number(piece)] ?? [])
      : value.map((each) => withElements(each, depth - 1, pieces));
  }
  if (depth === 1) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withElements(each, depth - 1, pieces)]),
  );
};

const elementsIn = (text: string, hasLongNumber: boolean): readonly unknown[] => {
  const list = `[${text}]`;
  const elements: unknown = hasLongNumber ? parseExactIntegers(list) : JSON.parse(list);
  if (Array.isArray(elements) && elements.length > 0) return elements;
  throw new SyntaxError("a comma has nothing behind it");
};

/**
 * Parses JSON in UTF-8 like `parseExactIntegers`. Other tasks get their turn meanwhile, because megabytes take a tenth
 * of a second and more.
 *
 * @param depth of the lists that are long: 3 for those in the result of an answer
 * @param pieceBytes how much of a list is parsed at once
 * @throws SyntaxError if the text is no JSON
 */
export const parseInTurns = async (bytes: Buffer, depth: number, pieceBytes?: number): Promise<unknown> => {
  if (pieceBytes === undefined && bytes.length < SHORT_BYTES) return parseExactIntegers(bytes.toString());
  const around: string[] = [];
  let end = 0;
  const pieces = await flatMapInTurns(jsonPieces(bytes, depth, pieceBytes), ({ from, to, hasLongNumber }) => {
    around.push(bytes.toString("utf8", end, from));
    end = to;
    return [elementsIn(bytes.toString("utf8", from, to), hasLongNumber)];
  });
  const last = bytes.toString("utf8", end);
  const skeleton = around.map((text, piece) => `${text}${piece}`).join("") + last;
  return withElements(parseExactIntegers(skeleton), depth, pieces);
};
