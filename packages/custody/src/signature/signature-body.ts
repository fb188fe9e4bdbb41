import { z } from "zod";
import { MESSAGE_BYTES_MAX } from "../authorisation/message.ts";
import { UNSIGNED_BYTES_MAX } from "../chain-request/reading.ts";
import { PSBT_BYTES_MAX } from "../chain-request/transaction-body.ts";
import { shortText } from "../text.ts";
import { exactHexadecimal, signatureFields } from "./signature-fields.ts";
import { typedDataFields } from "./typed-data.ts";

/** A PSBT to sign and not to broadcast (wire interface, section F.6). */
const psbtSignatureBodySchema = z.strictObject({
  kind: z.literal("Psbt"),
  psbt: exactHexadecimal(PSBT_BYTES_MAX),
  ...signatureFields,
});

const ADDRESS_LENGTH = 42;

/** The contents that keys sign only for EVM networks (wire interface, section F.6). */
const eip191BodySchema = z.strictObject({
  kind: z.literal("Eip191"),
  message: exactHexadecimal(MESSAGE_BYTES_MAX),
  ...signatureFields,
});
const eip712BodySchema = z.strictObject({
  kind: z.literal("Eip712"),
  ...typedDataFields,
  ...signatureFields,
});
/** Delegates the account's code to a contract (EIP-7702). */
const eip7702BodySchema = z.strictObject({
  kind: z.literal("Eip7702"),
  /** the zero address ends the delegation */
  address: shortText(ADDRESS_LENGTH),
  nonce: z.int().min(0),
  /** 0: valid on every chain */
  chainId: z.int().min(0),
  ...signatureFields,
});

/** The body of POST /wallets/{walletId}/signatures and of POST /keys/{keyId}/signatures (wire interface, F.6). */
export const signatureBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("Hash"),
    hash: z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/, "is not 32 bytes of hexadecimal"),
    taprootMerkleRoot: z
      .string()
      .regex(/^((0x)?[0-9a-fA-F]{64})?$/)
      .optional(),
    ...signatureFields,
  }),
  z.strictObject({
    kind: z.literal("Message"),
    message: exactHexadecimal(MESSAGE_BYTES_MAX),
    ...signatureFields,
  }),
  eip191BodySchema,
  eip712BodySchema,
  eip7702BodySchema,
  z.strictObject({
    kind: z.literal("Transaction"),
    transaction: exactHexadecimal(UNSIGNED_BYTES_MAX),
    ...signatureFields,
  }),
  psbtSignatureBodySchema,
]);
export type SignatureBody = z.infer<typeof signatureBodySchema>;
