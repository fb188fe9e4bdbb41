import { z } from "zod";
import { MESSAGE_BYTES_MAX } from "../authorisation/message.ts";
import { typedDataFields } from "../families/evm/typed-data.ts";
import { shortText } from "../text.ts";

const EXTERNAL_ID_LENGTH = 50;
const NETWORK_LENGTH = 64;
/** An unsigned transaction, in bytes: init code has 49152 at most (EIP-3860). */
export const UNSIGNED_BYTES_MAX: number = 64 * 1024;

/** Hexadecimal digits of whole bytes, with or without 0x. */
const hex = (bytesMax: number) =>
  z
    .string()
    .max(2 * bytesMax + 2)
    .regex(/^(0x)?([0-9a-fA-F]{2})*$/, "is not hexadecimal")
    .refine((text) => text.replace(/^0x/, "").length <= 2 * bytesMax, {
      error: `is longer than ${bytesMax} bytes`,
    });

const common = {
  /** of a key; a wallet has its own */
  network: shortText(NETWORK_LENGTH).optional(),
  blockchainKind: shortText(NETWORK_LENGTH).optional(),
  externalId: shortText(EXTERNAL_ID_LENGTH).optional(),
};

/** The body of POST /wallets/{walletId}/signatures and of POST /keys/{keyId}/signatures (wire interface, F.6). */
export const signatureBodySchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("Hash"),
    hash: z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/, "is not 32 bytes of hexadecimal"),
    taprootMerkleRoot: z
      .string()
      .regex(/^((0x)?[0-9a-fA-F]{64})?$/)
      .optional(),
    ...common,
  }),
  z.strictObject({ kind: z.literal("Message"), message: hex(MESSAGE_BYTES_MAX), ...common }),
  z.strictObject({ kind: z.literal("Eip191"), message: hex(MESSAGE_BYTES_MAX), ...common }),
  z.strictObject({ kind: z.literal("Eip712"), ...typedDataFields, ...common }),
  z.strictObject({ kind: z.literal("Transaction"), transaction: hex(UNSIGNED_BYTES_MAX), ...common }),
]);
export type SignatureBody = z.infer<typeof signatureBodySchema>;
