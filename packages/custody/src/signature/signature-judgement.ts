import type { AuthorisedKey } from "../authorisation/key.ts";
import type { AuthorisedMessage } from "../authorisation/message.ts";
import type { AuthorisedSignature, SignatureContent } from "../authorisation/signature.ts";
import { lowerHex } from "../chain-request/hexadecimal.ts";
import { fail, ok, type Result } from "../errors.ts";
import type { FamilyTable } from "../families/rules.ts";
import { familyOf, type Network, networkFamilySchema } from "../network.ts";
import type { SignatureBody } from "./signature-body.ts";

/**
 * The content of a requested signature, ready to be authorised: content from which signers compute the signed
 * bytes, or the message itself for a FROST key.
 */
export type JudgedSignature =
  | { readonly scheme: AuthorisedSignature["scheme"]; readonly content: SignatureContent }
  | {
      readonly scheme: AuthorisedMessage["scheme"];
      /** lower-case hex */
      readonly message: string;
      /** root of a Taproot key's script tree, lower-case hex; absent for an empty tree */
      readonly merkleRoot?: string;
    };

/** The key of the request, and the network if one is known. */
export interface SignatureSubject {
  readonly scheme: AuthorisedKey["scheme"];
  readonly network: Network | undefined;
  /** the key's, lower-case hex, for families whose bytes hold it */
  readonly publicKey?: string;
  /** only for a Taproot key, lower-case hex; undefined for one that an older version made */
  readonly internalKey?: string | undefined;
}

type BodyOf<Kind extends SignatureBody["kind"]> = Extract<SignatureBody, { readonly kind: Kind }>;

const ED25519_KINDS = ["Hash", "Message", "Transaction"] as const;
const BIP340_KINDS = ["Hash"] as const;
const TAPROOT_KINDS = ["Hash", "Psbt"] as const;

/**
 * Judges the content of a requested signature, by the scheme of the key (wire interface, section F.6).
 *
 * @returns SignatureKindNotSupported, TypedDataInvalid, or InvalidBody for a field that the kind or key does
 * not allow
 */
export const judgeSignature = (
  families: FamilyTable,
  subject: SignatureSubject,
  body: SignatureBody,
): Result<JudgedSignature> => {
  const { scheme, network } = subject;
  const { blockchainKind } = body;
  if (network !== undefined && blockchainKind !== undefined && familyOf(network) !== blockchainKind) {
    return refuseField("blockchainKind", `is not that of ${network}`);
  }
  switch (scheme) {
    case "ECDSA": {
      const content = ecdsaContent(families, subject, body);
      return content.ok ? ok({ scheme, content: content.value }) : content;
    }
    case "FROST-Ed25519":
      return judgeEd25519(families, { ...subject, scheme }, body);
    case "FROST-BIP340":
      return judgeUntweaked(scheme, body);
    case "FROST-Taproot":
      return body.kind === "Psbt"
        ? judgePsbt(families, { ...subject, scheme }, body)
        : judgeTaproot(scheme, subject.internalKey, body);
  }
};

const refuseKind = (kinds: readonly string[]): Result<never> =>
  fail("SignatureKindNotSupported", { field: "kind", kinds });

const refuseField = (field: string, why: string): Result<never> =>
  fail("InvalidBody", { issues: [{ path: field, message: why }] }, `${field} ${why}`);

const refuseMerkleRoot = ({ taprootMerkleRoot }: BodyOf<"Hash">): Result<never> | undefined =>
  taprootMerkleRoot === undefined ? undefined : refuseField("taprootMerkleRoot", "is for Schnorr keys alone");

/** The family that reads the content when neither wallet nor request names one. */
const USUAL_FAMILY = "Evm";

const ecdsaContent = (
  families: FamilyTable,
  subject: SignatureSubject,
  body: SignatureBody,
): Result<SignatureContent> => {
  if (body.kind === "Hash") return refuseMerkleRoot(body) ?? ok({ kind: "hash", hash: lowerHex(body.hash) });
  return readableContent(families, subject, body.blockchainKind ?? USUAL_FAMILY, body);
};

/** @param usual the default family, when neither wallet nor request names a network */
const readableContent = (
  families: FamilyTable,
  { network, publicKey }: SignatureSubject,
  usual: string | undefined,
  body: SignatureBody,
): Result<SignatureContent> => {
  const family = networkFamilySchema.safeParse(network === undefined ? usual : familyOf(network));
  const rules = family.success ? families.find(family.data) : undefined;
  if (rules === undefined) return refuseKind(["Hash"]);
  const content = rules.judgeContent(network, body, publicKey);
  return content.ok ? ok({ kind: "readable", family: rules.name, content: content.value }) : content;
};

const judgeEd25519 = (
  families: FamilyTable,
  subject: SignatureSubject & { readonly scheme: "FROST-Ed25519" },
  body: SignatureBody,
): Result<JudgedSignature> => {
  const { scheme } = subject;
  switch (body.kind) {
    case "Hash":
      return refuseMerkleRoot(body) ?? ok({ scheme, message: lowerHex(body.hash) });
    case "Message":
      return ok({ scheme, message: lowerHex(body.message) });
    case "Transaction": {
      const content = readableContent(families, subject, body.blockchainKind, body);
      return content.ok ? ok({ scheme, content: content.value }) : content;
    }
    case "Eip191":
    case "Eip712":
    case "Eip7702":
    case "Psbt":
      return refuseKind(ED25519_KINDS);
  }
};

/** Judges a transaction of a Taproot wallet as a whole: signers compute the signed bytes from it. */
const judgePsbt = (
  families: FamilyTable,
  subject: SignatureSubject & { readonly scheme: "FROST-Taproot" },
  body: BodyOf<"Psbt">,
): Result<JudgedSignature> => {
  const { scheme } = subject;
  const content = readableContent(families, subject, body.blockchainKind ?? "Bitcoin", body);
  return content.ok ? ok({ scheme, content: content.value }) : content;
};

/** Judges a request on a key of an older version, which signs untweaked: it cannot sign under a tweaked key. */
const judgeUntweaked = (scheme: "FROST-BIP340", body: SignatureBody): Result<JudgedSignature> => {
  if (body.kind !== "Hash") return refuseKind(BIP340_KINDS);
  return body.taprootMerkleRoot === undefined
    ? ok({ scheme, message: lowerHex(body.hash) })
    : refuseField(
        "taprootMerkleRoot",
        "is not for this key: an older version made it, and it signs untweaked",
      );
};

/**
 * A Taproot key signs under its output key (BIP-341): the caller names the script tree's root; "" means the
 * empty tree of BIP-86.
 */
const judgeTaproot = (
  scheme: "FROST-Taproot",
  internalKey: string | undefined,
  body: SignatureBody,
): Result<JudgedSignature> => {
  if (body.kind !== "Hash") return refuseKind(TAPROOT_KINDS);
  const { taprootMerkleRoot: root } = body;
  if (root === undefined) {
    return refuseField(
      "taprootMerkleRoot",
      'is needed to sign with a Schnorr key: "" is the default merkle root',
    );
  }
  const merkleRoot = lowerHex(root);
  const message = lowerHex(body.hash);
  if (merkleRoot === "") return ok({ scheme, message });
  return internalKey === undefined
    ? refuseField(
        "taprootMerkleRoot",
        'is "" alone for this key: an older version made it, and nobody knows its internal key',
      )
    : ok({ scheme, message, merkleRoot });
};
