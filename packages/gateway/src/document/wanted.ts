import { type ApiDocument, operationsIn } from "./types.ts";

/**
 * The resources that an example's ids stand for: a wallet of this network, a wallet or a key of this scheme.
 * The page of the API chooses by it.
 */
export interface Wanted {
  readonly network?: string;
  readonly scheme?: string;
}
/** The name under which an example of the document carries it. */
export const WANTED = "x-wanted";

/** Of examples that are no chain family's, by what they show. */
const OF_SCHEME: Readonly<Record<string, Wanted>> = {
  "on a key that there is": { scheme: "ECDSA" },
  "32 bytes": { scheme: "ECDSA" },
  "a message, as it is": { scheme: "EdDSA" },
  "32 bytes, for the coins of the key's own address": { scheme: "Schnorr" },
};

/** Says of examples which keys they are for, as far as not every key will do. */
export const markWanted = (document: ApiDocument): void => {
  for (const { operation } of operationsIn(document)) {
    if (operation.requestBody === undefined || "$ref" in operation.requestBody) continue;
    const { examples = {} } = operation.requestBody.content["application/json"] ?? {};
    for (const [shows, example] of Object.entries(examples)) {
      const wanted = OF_SCHEME[shows];
      if (wanted !== undefined && !("$ref" in example)) examples[shows] = { ...example, [WANTED]: wanted };
    }
  }
};
