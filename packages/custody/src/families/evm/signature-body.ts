import { z } from "zod";
import { MESSAGE_BYTES_MAX } from "../../authorisation/message.ts";
import { exactHexadecimal, signatureFields } from "../../signature/signature-fields.ts";
import { shortText } from "../../text.ts";
import { typedDataFields } from "./typed-data.ts";

const ADDRESS_LENGTH = 42;

/** The contents that keys sign for EVM networks alone (wire interface, section F.6). */
export const eip191BodySchema = z.strictObject({
  kind: z.literal("Eip191"),
  message: exactHexadecimal(MESSAGE_BYTES_MAX),
  ...signatureFields,
});
export const eip712BodySchema = z.strictObject({
  kind: z.literal("Eip712"),
  ...typedDataFields,
  ...signatureFields,
});
/** Hands the account's code over to a contract (EIP-7702). */
export const eip7702BodySchema = z.strictObject({
  kind: z.literal("Eip7702"),
  /** the zero address takes the code back */
  address: shortText(ADDRESS_LENGTH),
  nonce: z.int().min(0),
  /** 0: valid on every chain */
  chainId: z.int().min(0),
  ...signatureFields,
});
export type Eip712Body = z.infer<typeof eip712BodySchema>;
