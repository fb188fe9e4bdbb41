import {
  type ChainFamily,
  type FamilyRegistry,
  judgeSigner,
  type NetworkEntry,
  signingReader,
} from "@conclave/chains";
import {
  type ActiveKey,
  type AuthorisedMessage,
  type AuthorisedSignature,
  authorisedMessageSchema,
  authorisedSignatureSchema,
  fail,
  familyOf,
  networkFamilySchema,
  ok,
  type Result,
  type SchemeSignature,
  type Signable,
  type SignatureContent,
  type SignatureRequest,
  type SignatureValue,
  type SignedAuthorisation,
} from "@conclave/custody";
import { z } from "zod";
import type { SigningRequest } from "../signing-port.ts";
import { isSchemeSignatureOf, type VerifyingKeys } from "./is-signature-of.ts";
import { signatureValue } from "./signature-value.ts";

/** The result of a task, as the API answers it. */
export interface SignedTask {
  readonly signature: SignatureValue;
  /** for a transaction: the whole signed transaction */
  readonly signedData: string | undefined;
}

/** The request to the signers, and the function that makes the result from their signatures. */
export interface SignatureTask {
  readonly request: SigningRequest;
  readonly finish: (signatures: readonly SchemeSignature[]) => Result<SignedTask>;
}

/** The served networks, and the families that read for them. */
export interface Reading {
  readonly families: FamilyRegistry;
  readonly networks: readonly NetworkEntry[];
}

const authorisedSchema = z.union([authorisedSignatureSchema, authorisedMessageSchema]);

const fromHex = (digits: string): Uint8Array => new Uint8Array(Buffer.from(digits, "hex"));
const nothing = new Uint8Array(0);

/**
 * Reads what the gateway authorised. The signers verify the authority's signature and read for themselves; the
 * orchestrator must know what is signed in order to verify their signatures (P19).
 *
 * @param held public keys of the key's row, in hex
 * @returns TypedDataInvalid, NetworkNotEnabled, TransactionUnreadable, TransactionMismatch or FeeAboveCap when it
 * cannot be signed
 */
export const signatureTask = (
  reading: Reading,
  request: SignatureRequest,
  authorisation: SignedAuthorisation,
  held: Pick<ActiveKey, "publicKey" | "internalKey">,
): Result<SignatureTask> => {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(authorisation.payload);
  const authorised = authorisedSchema.parse(JSON.parse(text));
  const key = fromHex(held.publicKey);
  const internalKey = held.internalKey === undefined ? undefined : fromHex(held.internalKey);
  const signables = signablesOf(reading, authorised, key);
  if (!signables.ok) return signables;
  const isSigned = areSignatures(signables.value, { publicKey: key, internalKey });
  const isChosen = authorised.kind === "signature" && authorised.content.kind === "hash";
  const common = {
    requestId: request.id,
    keyId: authorised.keyId,
    authorisation,
    unsigned: nothing,
    dead: undefined,
  };
  return ok({
    request: {
      ...common,
      signables: signables.value,
      isChosen,
      isSigned,
      isOneSigned: (signable, signature) =>
        isSchemeSignatureOf(signable, signature, { publicKey: key, internalKey }),
    },
    finish: (signatures) => {
      const [signature] = signatures;
      if (signature === undefined || !isSigned(signatures)) return notOurs();
      const signedData = wholeOf(reading, request, authorised, signatures, key);
      if (!signedData.ok) return signedData;
      const withRecovery = encodesRecovery(reading, request, authorised);
      return ok({ signature: signatureValue(signature, withRecovery), signedData: signedData.value });
    },
  });
};

type Authorised = AuthorisedSignature | AuthorisedMessage;

const signablesOf = (
  { families, networks }: Reading,
  authorised: Authorised,
  publicKey: Uint8Array,
): Result<readonly Signable[]> => {
  if (authorised.kind === "message") {
    const { scheme, message, merkleRoot } = authorised;
    const tweak = merkleRoot === undefined ? {} : { merkleRoot: fromHex(merkleRoot) };
    return ok([{ scheme, bytes: fromHex(message), ...tweak }]);
  }
  const { content } = authorised;
  if (content.kind === "hash") return ok([{ scheme: "CGGMP24", bytes: fromHex(content.hash) }]);
  const read = signingReader(families, networks).readContent(content);
  if (!read.ok) return read;
  const signer = judgeSigner(families, read.value, publicKey);
  return signer.ok ? ok(read.value.signables) : signer;
};

const areSignatures =
  (signables: readonly Signable[], keys: VerifyingKeys) =>
  (signatures: readonly SchemeSignature[]): boolean =>
    signatures.length === signables.length &&
    signables.every((signable, at) => isSchemeSignatureOf(signable, signatures[at], keys));

const notOurs = (): Result<never> => fail("Internal", {}, "The signature is not the key's.");

const familyNamed = ({ families }: Reading, { family }: Extract<SignatureContent, { kind: "readable" }>) =>
  families.find(networkFamilySchema.parse(family));

/** The whole signed transaction; undefined for content that is no transaction. */
const wholeOf = (
  reading: Reading,
  { requestBody }: Pick<SignatureRequest, "requestBody">,
  authorised: Authorised,
  signatures: readonly SchemeSignature[],
  publicKey: Uint8Array,
): Result<string | undefined> => {
  if (authorised.kind === "message" || authorised.content.kind === "hash") return ok(undefined);
  const { content } = authorised.content;
  const family = familyNamed(reading, authorised.content);
  const given = family?.givenBytes(content);
  if (family === undefined || given === undefined) return ok(undefined);
  const entry = reading.networks.find(({ network }) => network === content["network"]);
  const whole =
    family.signedContent?.(given, signatures, [publicKey], requestBody) ??
    attached(family, given, signatures, publicKey, entry);
  return whole.ok ? ok(`0x${Buffer.from(whole.value).toString("hex")}`) : whole;
};

const attached = (
  family: ChainFamily,
  given: Uint8Array,
  signatures: readonly SchemeSignature[],
  publicKey: Uint8Array,
  entry: NetworkEntry | undefined,
): Result<Uint8Array> => {
  const whole = family.attach(given, signatures, [publicKey], entry);
  return whole.ok ? ok(whole.value.signed) : whole;
};

/**
 * Whether clients of the signature's family expect the recovery id in it; for a hash, the family of the request's
 * network decides.
 */
const encodesRecovery = (
  reading: Reading,
  { network }: SignatureRequest,
  authorised: Authorised,
): boolean => {
  if (authorised.kind === "message") return false;
  const { content } = authorised;
  const named = network === undefined ? undefined : reading.families.find(familyOf(network));
  const family = content.kind === "hash" ? named : familyNamed(reading, content);
  return family?.encodesRecovery ?? false;
};
