import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type Decoded, encode } from "../../codec.ts";
import type { GroupPoint } from "../../curve.ts";
import { decodeBase64, encodeBase64 } from "../../import/base64.ts";
import { openImportEnvelope } from "../../import/envelope.ts";
import { startImport } from "../../import/import.ts";
import { parseImportPlaintext } from "../../import/plaintext.ts";
import {
  type EntryFlaw,
  entryFlawCodec,
  type ImportRefusal,
  importRefusalCodec,
} from "../../import/refusal.ts";
import { statementBytesMax, statementCodec } from "../../import/statement.ts";
import { CGGMP24, FROST_ED25519, type Scheme } from "../../scheme.ts";
import { Secret } from "../../secret.ts";
import { importConfig } from "../importing.ts";
import { testParty } from "../insecure-auxiliary.ts";
import {
  type ClientPlaintext,
  insecureDecryptionKey,
  insecurePlaintexts,
  insecurePolynomial,
  sealFor,
} from "../insecure-import-client.ts";
import { type Decoder, decoder, type Reader, reader } from "./decoder.ts";
import { record, two } from "./honest-messages.ts";

const THRESHOLD = 2;
const ENVELOPE_MIN_BYTES = 49;
const TEXT_BYTES_MAX = 1000;

const plaintextsOf = <P extends GroupPoint<P>>(scheme: Scheme<P>) =>
  insecurePlaintexts(scheme, two, insecurePolynomial(scheme, THRESHOLD), new Uint8Array(32).fill(7));

const envelopesOf = <P extends GroupPoint<P>>(scheme: Scheme<P>) =>
  new Map([...plaintextsOf(scheme)].map(([party, plaintext]) => [party, sealFor(party, plaintext)]));

const statementsOf = <P extends GroupPoint<P>>(scheme: Scheme<P>): Decoder => {
  const envelopes = envelopesOf(scheme);
  const run = record((self) => startImport(importConfig({ scheme, threshold: THRESHOLD, envelopes }, self)));
  const isCostly = scheme.curve.name === "ed25519";
  return decoder(
    "import/statement.ts statementCodec",
    statementCodec(scheme.curve),
    run.sent(1, "broadcast"),
    {
      form: scheme.curve.name,
      roundBytesMax: statementBytesMax(scheme.curve),
      ...(isCostly ? { bent: 500, cheapBytes: 129 } : {}),
    },
  );
};

const flaws: readonly EntryFlaw[] = [
  { code: "EnvelopeUnreadable", field: "encryptedKeyShare" },
  { code: "KeyIsIdentity", field: "public_shares" },
];

const refusals: readonly ImportRefusal[] = [
  { kind: "entry", signer: testParty(2), flaw: { code: "ShareMismatch", field: "secret_share" } },
  {
    kind: "difference",
    field: "chain_code",
    views: [
      { digest: new Uint8Array(32).fill(1), signers: [testParty(1), testParty(3)] },
      { digest: new Uint8Array(32).fill(2), signers: [testParty(2)] },
    ],
  },
];

export const importDecoders: readonly Decoder[] = [
  decoder(
    "import/refusal.ts entryFlawCodec",
    entryFlawCodec,
    flaws.map((flaw) => encode(entryFlawCodec, flaw)),
  ),
  decoder(
    "import/refusal.ts importRefusalCodec",
    importRefusalCodec,
    refusals.map((refusal) => encode(importRefusalCodec, refusal)),
  ),
  statementsOf(CGGMP24),
  statementsOf(FROST_ED25519),
];

const textOf = (plaintext: ClientPlaintext): Uint8Array => utf8ToBytes(JSON.stringify(plaintext));

const plaintextReader = <P extends GroupPoint<P>>(scheme: Scheme<P>, bent: number): Reader => {
  const read = (bytes: Uint8Array): Decoded<Uint8Array> => {
    const parsed = parseImportPlaintext(scheme.curve, two.length, new Secret(bytes));
    return parsed.ok ? { ok: true, value: bytes } : { ok: false, reason: parsed.flaw.code };
  };
  const samples = [...plaintextsOf(scheme).values()].map(textOf);
  return reader("import/plaintext.ts parseImportPlaintext", samples, read, { form: scheme.curve.name, bent });
};

const decryptionKey = insecureDecryptionKey(testParty(1));

const envelopeReader: Reader = reader(
  "import/envelope.ts openImportEnvelope",
  [...envelopesOf(CGGMP24).values()].slice(0, 1),
  (bytes) => {
    const opened = openImportEnvelope(bytes, decryptionKey);
    return opened.ok ? { ok: true, value: bytes } : opened;
  },
  { bent: 150, cheapBytes: ENVELOPE_MIN_BYTES },
);

const base64Reader: Reader = reader(
  "import/base64.ts decodeBase64",
  ["", "AA==", "AAA=", "AAAA", encodeBase64(new Uint8Array(64).fill(0xe7))].map(utf8ToBytes),
  (bytes) => {
    const decoded = decodeBase64(String.fromCharCode(...bytes), TEXT_BYTES_MAX);
    return decoded === undefined
      ? { ok: false, reason: "not base64" }
      : { ok: true, value: utf8ToBytes(encodeBase64(decoded)) };
  },
);

/** The functions of import that read bytes without a codec: a client's texts and envelopes. */
export const importReaders: readonly Reader[] = [
  base64Reader,
  envelopeReader,
  plaintextReader(CGGMP24, 1500),
  plaintextReader(FROST_ED25519, 300),
];
