import {
  addressOf,
  attachSignature,
  type ReadableNetwork,
  readContent,
  recoverPublicKey,
} from "@conclave/chains";
import {
  type AuthorisedMessage,
  type AuthorisedSignature,
  authorisedMessageSchema,
  authorisedSignatureSchema,
  fail,
  familyOf,
  ok,
  type Result,
  type SignatureContent,
  type SignatureRequest,
  type SignatureValue,
  type SignedAuthorisation,
} from "@conclave/custody";
import { type Signature, verifyBip340, verifyEd25519 } from "@conclave/threshold";
import { z } from "zod";
import type { ContentRequest, MessageRequest } from "./quorum.ts";
import { ecdsaValue, messageValue } from "./signature-value.ts";

/** What came of it, as the API answers it. */
export interface SignedOrder {
  readonly signature: SignatureValue;
  /** of a transaction: the whole of it, signed */
  readonly signedData: string | undefined;
}

/** What is asked of the signers, and what becomes of their answer. */
export type Order =
  | {
      readonly kind: "content";
      readonly request: ContentRequest;
      readonly finish: (signature: Signature) => Result<SignedOrder>;
    }
  | {
      readonly kind: "message";
      readonly request: MessageRequest;
      readonly finish: (signature: Uint8Array) => Result<SignedOrder>;
    };

const authorisedSchema = z.discriminatedUnion("kind", [authorisedSignatureSchema, authorisedMessageSchema]);

const fromHex = (digits: string): Uint8Array => new Uint8Array(Buffer.from(digits, "hex"));

/**
 * Reads what the gateway authorised. The signers verify the authority's signature and read for themselves; the
 * orchestrator needs the digest to check what they answer (P19).
 *
 * @param publicKey of the key, in hex, as its row holds it
 * @returns TypedDataInvalid, NetworkNotEnabled, TransactionUnreadable, TransactionMismatch or FeeAboveCap when it cannot be
 *   signed
 */
export const orderOf = (
  networks: readonly ReadableNetwork[],
  request: SignatureRequest,
  authorisation: SignedAuthorisation,
  publicKey: string,
): Result<Order> => {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(authorisation.payload);
  const authorised = authorisedSchema.parse(JSON.parse(text));
  const key = fromHex(publicKey);
  return authorised.kind === "message"
    ? ok(messageOrder(authorised, authorisation, key))
    : contentOrder(networks, request, authorised, authorisation, key);
};

const messageOrder = (
  { keyId, scheme, message }: AuthorisedMessage,
  authorisation: SignedAuthorisation,
  publicKey: Uint8Array,
): Order => {
  const verify = scheme === "FROST-Ed25519" ? verifyEd25519 : verifyBip340;
  const isSignature = (signature: Uint8Array): boolean => verify(signature, fromHex(message), publicKey);
  return {
    kind: "message",
    request: { keyId, authorisation, isSignature },
    finish: (signature) =>
      isSignature(signature) ? ok({ signature: messageValue(signature), signedData: undefined }) : notOurs(),
  };
};

const notOurs = (): Result<never> => fail("Internal", {}, "The signature is not the key's.");

const contentOrder = (
  networks: readonly ReadableNetwork[],
  request: SignatureRequest,
  { keyId, content }: AuthorisedSignature,
  authorisation: SignedAuthorisation,
  publicKey: Uint8Array,
): Result<Order> => {
  const digest = digestOf(networks, content);
  if (!digest.ok) return digest;
  const isSignature = (signature: Signature): boolean => isBy(publicKey, digest.value, signature);
  const isChosen = content.kind === "hash";
  const isEvm = !isChosen || (request.network !== undefined && familyOf(request.network) === "Evm");
  return ok({
    kind: "content",
    request: { keyId, authorisation, isChosen, isSignature },
    finish: (signature) => {
      if (!isSignature(signature)) return notOurs();
      const signedData = wholeOf(content, signature, publicKey);
      if (!signedData.ok) return signedData;
      return ok({ signature: ecdsaValue(signature, isEvm), signedData: signedData.value });
    },
  });
};

const digestOf = (networks: readonly ReadableNetwork[], content: SignatureContent): Result<Uint8Array> => {
  if (content.kind === "hash") return ok(fromHex(content.hash));
  const read = readContent(networks, content);
  return read.ok ? ok(read.value.digest) : read;
};

const isBy = (publicKey: Uint8Array, digest: Uint8Array, signature: Signature): boolean => {
  const recovered = recoverPublicKey(digest, signature);
  return recovered.ok && Buffer.from(recovered.value).equals(publicKey);
};

/** The signed transaction, whole; nothing of what is no transaction. */
const wholeOf = (
  content: SignatureContent,
  signature: Signature,
  publicKey: Uint8Array,
): Result<string | undefined> => {
  if (content.kind !== "transaction") return ok(undefined);
  const attached = attachSignature(fromHex(content.transaction), signature, addressOf(publicKey));
  return attached.ok ? ok(`0x${Buffer.from(attached.value.signed).toString("hex")}`) : attached;
};
