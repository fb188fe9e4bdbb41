import { type ApiDocument, operationsIn } from "./types.ts";

/**
 * The entities that an example needs: a wallet of this network, a wallet or a key of this scheme. The API's page
 * chooses by it.
 */
export interface Wanted {
  readonly network?: string;
  readonly scheme?: string;
}
/** The property of a document's examples that has it. */
export const WANTED = "x-wanted";

/** For examples that belong to no chain family, by what they show. */
const OF_SCHEME: Readonly<Record<string, Wanted>> = {
  "on a key that there is": { scheme: "ECDSA" },
  "32 bytes": { scheme: "ECDSA" },
  "a message, as it is": { scheme: "EdDSA" },
  "32 bytes, for the coins of the key's own address": { scheme: "Schnorr" },
};

/** Marks examples that need a particular kind of key. */
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
