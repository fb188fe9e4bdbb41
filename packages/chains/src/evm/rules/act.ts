import {
  CALL_DATA_BYTES_MAX,
  lowerHexOf,
  MESSAGE_BYTES_MAX,
  typedDataSchema,
  UNSIGNED_BYTES_MAX,
} from "@conclave/custody";
import { z } from "zod";

const digits = z.string().regex(/^[1-9][0-9]{0,77}$/);
/** addresses are in lower case */
const address = z.string().regex(/^0x[0-9a-f]{40}$/);
/** Zero or more, at most 78 digits (256 bits). */
const amount = z.string().regex(/^(0|[1-9][0-9]{0,77})$/);
const nonce = z.int().min(0);

/** The asset that a transfer on an EVM network moves. */
export const evmTransferSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("Native"), to: address, amount: digits }),
  z.strictObject({ kind: z.literal("Erc20"), contract: address, to: address, amount: digits }),
  z.strictObject({
    kind: z.literal("Erc721"),
    contract: address,
    /** the wallet's own address: with any other, an operator could move a stranger's token */
    from: address,
    to: address,
    tokenId: amount,
  }),
]);
export type EvmTransfer = z.infer<typeof evmTransferSchema>;

/** The fees that the caller sets. A kind without numbers fixes only the transaction's type; the service chooses the rest. */
const feesSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("Eip1559"),
    maxFeePerGas: amount.optional(),
    maxPriorityFeePerGas: amount.optional(),
  }),
  z.strictObject({ kind: z.literal("Legacy"), gasPrice: amount.optional() }),
]);

/** The content of an EVM transaction, with the frame fields that are fixed: a signer compares every field present here. */
const evmCallSchema = z.strictObject({
  kind: z.literal("Call"),
  /** absent: deploys a contract */
  to: address.optional(),
  /** wei */
  value: amount,
  /** lower-case hex without 0x */
  data: lowerHexOf(CALL_DATA_BYTES_MAX),
  /** fixed by the caller, or that of the replaced request */
  nonce: nonce.optional(),
  gasLimit: amount.optional(),
  fees: feesSchema.optional(),
  /** wei: the highest fee, if the gateway bounds the service's choice; signers refuse more */
  maxFee: amount.optional(),
});
export type EvmCall = z.infer<typeof evmCallSchema>;

/** The exact bytes that a caller built, canonical, lower-case hex. */
const exactTransactionSchema = z.strictObject({
  kind: z.literal("Exact"),
  unsigned: lowerHexOf(UNSIGNED_BYTES_MAX),
  /** that of the replaced request: the bytes must hold the same */
  nonce: nonce.optional(),
});

/** A transaction on an EVM network. */
export const evmTransactionSchema = z.discriminatedUnion("kind", [evmCallSchema, exactTransactionSchema]);
export type EvmTransaction = z.infer<typeof evmTransactionSchema>;

/** The content that an ECDSA key signs for EVM without sending it. */
export const evmContentSchema = z.discriminatedUnion("kind", [
  /** signed as EIP-191's personal message (version 0x45) */
  z.strictObject({ kind: z.literal("message"), message: lowerHexOf(MESSAGE_BYTES_MAX) }),
  z.strictObject({ kind: z.literal("eip712"), typedData: typedDataSchema }),
  /** delegates the account to this contract's code, at its next nonce (EIP-7702) */
  z.strictObject({ kind: z.literal("eip7702"), address, nonce, chainId: z.int().min(0) }),
  /** the canonical unsigned bytes, for the chain of this network */
  z.strictObject({
    kind: z.literal("transaction"),
    network: z.string(),
    transaction: lowerHexOf(UNSIGNED_BYTES_MAX),
  }),
]);
export type EvmContent = z.infer<typeof evmContentSchema>;
