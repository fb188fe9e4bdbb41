import {
  decode,
  encode,
  holdsOwnShares,
  type PartyIndex,
  type Presignature,
  type PublicKeyInfo,
  presignatureCodec,
  Secret,
} from "@conclave/threshold";
import { testSessionId } from "@conclave/threshold/testing";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { numberOfHex } from "./crate-form.ts";
import type { CrateAnswer } from "./crate-program.ts";
import { crateQuorum, firstOf, type Holders, QUORUMS, signByUs } from "./holders.ts";
import { hexOfPartials, isSamePartials, isSameSignature, verifies } from "./signatures.ts";
import { type Message, messageOf, type Trial, unexpected } from "./trial.ts";

type Presigned = Extract<CrateAnswer, { readonly kind: "presigned" }>;

const pointOf = ({ point }: { readonly point: string }) => secp256k1.Point.fromHex(point);

/** The crate's presignatures in our form; undefined if our library finds them inconsistent. */
const ourPresignatures = (
  answer: Presigned,
  signers: readonly PartyIndex[],
  { keyId, epoch, publicKey }: PublicKeyInfo,
): ReadonlyMap<PartyIndex, Presignature> | undefined => {
  const publics = new Map(
    signers.flatMap((signer, at) => {
      const commitment = answer.commitments[at];
      if (commitment === undefined) return [];
      return [[signer, { k: pointOf(commitment.k), chi: pointOf(commitment.chi) }] as const];
    }),
  );
  const session = testSessionId("presigning of the crate");
  const common = { session, signers, keyId, epoch, publicKey, publics, testimony: [] };
  const taken = signers.flatMap((self, at) => {
    const theirs = answer.presignatures[at];
    if (theirs === undefined) return [];
    const secret = new Secret({
      k: numberOfHex(theirs.tilde_k.scalar),
      chi: numberOfHex(theirs.tilde_chi.scalar),
    });
    const made = { ...common, self, Gamma: pointOf(theirs.Gamma), secret };
    const read = decode(presignatureCodec, encode(presignatureCodec, made));
    return read.ok && holdsOwnShares(read.value) ? [[self, read.value] as const] : [];
  });
  return taken.length === signers.length ? new Map(taken) : undefined;
};

const flawOfPresigned = (
  answer: Presigned,
  signers: readonly PartyIndex[],
  info: PublicKeyInfo,
  { digest }: Message,
): string | undefined => {
  if (answer.signature === null) return "its partial signatures do not combine";
  if (!verifies(info.publicKey, digest, answer.signature)) return "noble does not verify the signature";
  const presignatures = ourPresignatures(answer, signers, info);
  if (presignatures === undefined) return "we do not take its presignatures";
  const ours = signByUs(presignatures, digest);
  if (!isSamePartials(ours.partials, hexOfPartials(answer.partials))) return "partial signatures differ";
  return isSameSignature(ours.signature, answer.signature) ? undefined : "signatures differ";
};

const presigns = (holders: Holders, signers: readonly PartyIndex[]): Trial => {
  const message = messageOf(`${signers.join()} pay`);
  return {
    name: "presigns and signs with our shares, and we sign the same with its presignatures",
    task: { do: "presign", quorum: crateQuorum(holders, signers), message: message.hex },
    flawOf: (answer) =>
      answer.kind === "presigned"
        ? flawOfPresigned(answer, signers, holders.info, message)
        : unexpected(answer),
  };
};

const signs = (holders: Holders, signers: readonly PartyIndex[]): Trial => {
  const message = messageOf(`${signers.join()} pay at once`);
  return {
    name: "signs with our shares in one run",
    task: { do: "sign", quorum: crateQuorum(holders, signers), message: message.hex },
    flawOf: (answer) => {
      if (answer.kind !== "signed") return unexpected(answer);
      return verifies(holders.info.publicKey, message.digest, answer.signature)
        ? undefined
        : "noble does not verify the signature";
    },
  };
};

/**
 * The crate presigns with every three of the five; both sides sign with the results. Once it also signs without a presignature.
 */
export const crateSignatures = (holders: Holders): readonly Trial[] => [
  ...QUORUMS.map((signers) => presigns(holders, signers)),
  signs(holders, firstOf(QUORUMS)),
];
