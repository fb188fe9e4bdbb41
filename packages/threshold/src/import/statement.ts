import { boolean, type Codec, fixedBytes, struct } from "../codec.ts";
import { type Curve, type GroupPoint, SCALAR_BYTES } from "../curve.ts";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { proveSchnorr, type SchnorrProof, schnorrCodec, verifySchnorr } from "../proofs/schnorr.ts";
import { hashFields } from "../transcript.ts";
import type { ImportedShare, ParsedShare } from "./plaintext.ts";
import { AGREED_FIELDS, type AgreedField, type EntryFlaw, entryFlawCodec } from "./refusal.ts";
import { type ImportRun, importContext, positionOf } from "./run.ts";

const DIGEST_BYTES = 32;

/** The fields that are the same in all entries of an import. */
export type PublicEntry<P extends GroupPoint<P>> = Pick<ImportedShare<P>, "publicShares" | "chainCode">;

/** Digests of the fields that must be the same for all signers. */
export type Agreed = Readonly<Record<AgreedField, Uint8Array>>;

/** The statement that a signer broadcasts about its own entry. */
export type Statement<P> =
  | { readonly kind: "taken"; readonly agreed: Agreed; readonly proof: SchnorrProof<P> }
  | { readonly kind: "flawed"; readonly flaw: EntryFlaw };

const agreedCodec: Codec<Agreed> = struct<Agreed>({
  terms: fixedBytes(DIGEST_BYTES),
  public_shares: fixedBytes(DIGEST_BYTES),
  chain_code: fixedBytes(DIGEST_BYTES),
});

export const statementCodec = <P extends GroupPoint<P>>(curve: Curve<P>): Codec<Statement<P>> => {
  const taken = struct<{ readonly agreed: Agreed; readonly proof: SchnorrProof<P> }>({
    agreed: agreedCodec,
    proof: schnorrCodec(curve),
  });
  return {
    write: (sink, statement) => {
      boolean.write(sink, statement.kind === "taken");
      if (statement.kind === "taken") taken.write(sink, statement);
      else entryFlawCodec.write(sink, statement.flaw);
    },
    read: (source) =>
      source.part("isTaken", boolean)
        ? { kind: "taken", ...taken.read(source) }
        : { kind: "flawed", flaw: source.part("flaw", entryFlawCodec) },
  };
};

/** The length of the longest statement. */
export const statementBytesMax = <P extends GroupPoint<P>>({ pointBytes }: Curve<P>): number =>
  1 + AGREED_FIELDS.length * DIGEST_BYTES + pointBytes + SCALAR_BYTES;

/** Digests of the terms of a run, and of the public fields of an entry. */
export const agreedOf = <P extends GroupPoint<P>>(run: ImportRun<P>, share: PublicEntry<P>): Agreed => {
  const { session, scheme, keyId, epoch, threshold, parties, assignment } = run;
  const positions = [...assignment].map(([party, position]) => [party, position]);
  const { publicShares, chainCode } = share;
  const digest = (domain: string, fields: Parameters<typeof hashFields>[1]): Uint8Array =>
    hashFields(`import ${domain}`, [session, fields]);
  return {
    terms: digest("terms", [scheme.name, keyId, epoch, threshold, parties, positions]),
    public_shares: digest("public shares", publicShares),
    chain_code: digest("chain code", chainCode === undefined ? [] : [chainCode]),
  };
};

/** The statement of Πsch: X_i, and a hash of all agreed fields. */
const statementOf = <P extends GroupPoint<P>>(
  run: ImportRun<P>,
  party: PartyIndex,
  { publicShares }: PublicEntry<P>,
  agreed: Agreed,
) => ({
  point: publicShares[positionOf(run, party) - 1] ?? run.scheme.curve.identity,
  salt: hashFields(
    "import agreed",
    AGREED_FIELDS.map((field) => agreed[field]),
  ),
});

/** Our own statement: the flaw of our entry; or digests of its content, with a proof that we know our share. */
export const stateEntry = <P extends GroupPoint<P>>(
  run: ImportRun<P>,
  entry: ParsedShare<P>,
  entropy: Entropy,
): Statement<P> => {
  if (!entry.ok) return { kind: "flawed", flaw: entry.flaw };
  const agreed = agreedOf(run, entry.share);
  const witness = entry.share.secretShare.reveal();
  const statement = statementOf(run, run.self, entry.share, agreed);
  const { curve } = run.scheme;
  const proof = proveSchnorr(curve, importContext(run, run.self), statement, witness, entropy);
  return { kind: "taken", agreed, proof };
};

/** Whether a party whose digests agree with ours has proven that it knows its share. */
export const isProven = <P extends GroupPoint<P>>(
  run: ImportRun<P>,
  party: PartyIndex,
  share: PublicEntry<P>,
  { agreed, proof }: Extract<Statement<P>, { readonly kind: "taken" }>,
): boolean =>
  verifySchnorr(run.scheme.curve, importContext(run, party), statementOf(run, party, share, agreed), proof);
