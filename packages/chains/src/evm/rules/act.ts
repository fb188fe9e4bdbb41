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
/** Zero or more, of at most 256 bits. */
const amount = z.string().regex(/^(0|[1-9][0-9]{0,77})$/);
const nonce = z.int().min(0);

/** The asset that a transfer on an EVM network moves. */
export const evmTransferSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("Native"), to: address, amount: digits }),
  z.strictObject({ kind: z.literal("Erc20"), contract: address, to: address, amount: digits }),
  z.strictObject({
    kind: z.literal("Erc721"),
    contract: address,
    /** the wallet's own address: an operator could move a stranger's token otherwise */
    from: address,
    to: address,
    tokenId: amount,
  }),
]);
export type EvmTransfer = z.infer<typeof evmTransferSchema>;

/** The fees of the caller. A kind without numbers fixes the type of the transaction and leaves the rest to the service. */
const feesSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("Eip1559"),
    maxFeePerGas: amount.optional(),
    maxPriorityFeePerGas: amount.optional(),
  }),
  z.strictObject({ kind: z.literal("Legacy"), gasPrice: amount.optional() }),
]);

/**
 * The effect of an EVM transaction, and the fixed fields of its frame: a signer compares every field that
 * stands here.
 */
const evmCallSchema = z.strictObject({
  kind: z.literal("Call"),
  /** absent: a contract is deployed */
  to: address.optional(),
  /** wei */
  value: amount,
  /** lower-case hex without 0x */
  data: lowerHexOf(CALL_DATA_BYTES_MAX),
  /** the caller's, or that of the request whose place it takes */
  nonce: nonce.optional(),
  gasLimit: amount.optional(),
  fees: feesSchema.optional(),
  /** wei: the most that it may cost in fees, where the gateway bounds what the service chooses; signers refuse more */
  maxFee: amount.optional(),
});
export type EvmCall = z.infer<typeof evmCallSchema>;

/** The very bytes that a caller built, canonical, lower-case hex. */
const exactTransactionSchema = z.strictObject({
  kind: z.literal("Exact"),
  unsigned: lowerHexOf(UNSIGNED_BYTES_MAX),
  /** of the request whose place it takes: the bytes must hold the same */
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
  /** the account takes the code of this contract, with its next nonce (EIP-7702) */
  z.strictObject({ kind: z.literal("eip7702"), address, nonce, chainId: z.int().min(0) }),
  /** the canonical unsigned bytes, for the chain of this network */
  z.strictObject({
    kind: z.literal("transaction"),
    network: z.string(),
    transaction: lowerHexOf(UNSIGNED_BYTES_MAX),
  }),
]);
export type EvmContent = z.infer<typeof evmContentSchema>;
