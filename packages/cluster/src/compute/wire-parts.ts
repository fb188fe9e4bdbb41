import {
  type Codec,
  convert,
  countedList,
  type Envelope,
  envelopeCodec,
  PARTIES_MAX,
  type PartyIndex,
  partyCodec,
  type SchemeName,
  Secret,
  text,
  variableBytes,
} from "@conclave/threshold";

// The parts that several tasks and results have in common on the compute wire (wire.ts).

/** Shares, auxiliary info and the like, in bytes. */
export const STORED_BYTES_MAX: number = 1024 * 1024;
/** A public key as its scheme writes it. */
export const PUBLIC_KEY_BYTES_MAX = 33;
/** one event may take a session through two rounds: a message to each of 63 peers, a broadcast and an echo, twice */
const ENVELOPES_MAX = 255;
const TEXT_BYTES_MAX = 4096;

export const partiesCodec: Codec<readonly PartyIndex[]> = countedList(partyCodec, PARTIES_MAX);
export const secretBytes: Codec<Secret<Uint8Array>> = convert(
  variableBytes(STORED_BYTES_MAX),
  (bytes) => new Secret(bytes),
  (secret) => secret.reveal(),
  "not secret bytes",
);
export const secretOf = <T>(codec: Codec<T>): Codec<Secret<T>> =>
  convert(
    codec,
    (value) => new Secret(value),
    (secret) => secret.reveal(),
    "not a secret",
  );
export const textCodec: Codec<string> = text(TEXT_BYTES_MAX);
export const sendCodec: Codec<readonly Envelope[]> = countedList(envelopeCodec, ENVELOPES_MAX);

const SCHEMES: readonly SchemeName[] = ["CGGMP24", "FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"];
export const schemeCodec: Codec<SchemeName> = convert(
  textCodec,
  (name) => SCHEMES.find((known) => known === name),
  (name) => name,
  "not a scheme",
);
