import { encode } from "../../codec.ts";
import { type EntryFlaw, entryFlawCodec } from "../../import/refusal.ts";
import { type Decoder, decoder } from "./decoder.ts";

const flaws: readonly EntryFlaw[] = [
  { code: "EnvelopeUnreadable", field: "encryptedKeyShare" },
  { code: "KeyIsIdentity", field: "public_shares" },
];

export const importDecoders: readonly Decoder[] = [
  decoder(
    "import/refusal.ts entryFlawCodec",
    entryFlawCodec,
    flaws.map((flaw) => encode(entryFlawCodec, flaw)),
  ),
];
