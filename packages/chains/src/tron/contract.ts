import { concatBytes } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { decodeTronCall, encodeTronCall, type TronCall } from "./call.ts";
import { type ProtobufFields, readProtobuf } from "./protobuf/read.ts";
import { bytesField, numberField } from "./protobuf/write.ts";
import { tronAccount, tronAddress } from "./rules/address.ts";
import { TRON_INT64_MAX } from "./rules/numbers.ts";

/** The contract of a transaction. TRON calls every kind of transaction a contract, even without a contract call. */
export type TronContract =
  /** @param amount sun */
  | { readonly type: "TransferContract"; readonly from: string; readonly to: string; readonly amount: bigint }
  | {
      readonly type: "TransferAssetContract";
      readonly from: string;
      readonly to: string;
      readonly tokenId: string;
      readonly amount: bigint;
    }
  | {
      readonly type: "TriggerSmartContract";
      readonly from: string;
      readonly contract: string;
      readonly call: TronCall;
    };

/** The numbers of the kinds, and of their fields (java-tron, protocol/core/Tron.proto and core/contract). */
const TYPES: Readonly<Record<TronContract["type"], bigint>> = {
  TransferContract: 1n,
  TransferAssetContract: 2n,
  TriggerSmartContract: 31n,
};
const TYPE_URL = "type.googleapis.com/protocol.";
const PREFIX = 0x41;
const ADDRESS_BYTES = 21;
const TOKEN_ID = /^[1-9][0-9]{0,18}$/;

const addressBytes = (address: string): Uint8Array =>
  concatBytes(Uint8Array.of(PREFIX), tronAccount(address));

const messageOf = (contract: TronContract): Uint8Array => {
  const from = addressBytes(contract.from);
  switch (contract.type) {
    case "TransferContract":
      return concatBytes(
        bytesField(1, from),
        bytesField(2, addressBytes(contract.to)),
        numberField(3, contract.amount),
      );
    case "TransferAssetContract":
      return concatBytes(
        bytesField(1, utf8ToBytes(contract.tokenId)),
        bytesField(2, from),
        bytesField(3, addressBytes(contract.to)),
        numberField(4, contract.amount),
      );
    case "TriggerSmartContract":
      return concatBytes(
        bytesField(1, from),
        bytesField(2, addressBytes(contract.contract)),
        bytesField(4, encodeTronCall(contract.call)),
      );
  }
};

/** The message Transaction.Contract: a type, and the type's own message as an Any. */
export const encodeTronContract = (contract: TronContract): Uint8Array =>
  concatBytes(
    numberField(1, TYPES[contract.type]),
    bytesField(
      2,
      concatBytes(
        bytesField(1, utf8ToBytes(`${TYPE_URL}${contract.type}`)),
        bytesField(2, messageOf(contract)),
      ),
    ),
  );

/** A contract, or the reason in words why it is not read. */
export type ReadContract = TronContract | string;

const messageIn = (fields: ProtobufFields, field: number): ProtobufFields | undefined => {
  const value = fields.get(field);
  return value instanceof Uint8Array ? readProtobuf(value) : undefined;
};

const addressIn = (fields: ProtobufFields, field: number): string | undefined => {
  const value = fields.get(field);
  return value instanceof Uint8Array && value.length === ADDRESS_BYTES && value[0] === PREFIX
    ? tronAddress(value.slice(1))
    : undefined;
};

const amountIn = (fields: ProtobufFields, field: number): bigint | undefined => {
  const value = fields.get(field);
  return typeof value === "bigint" && value > 0n && value <= TRON_INT64_MAX ? value : undefined;
};

const knows = (fields: ProtobufFields, most: number): boolean =>
  [...fields.keys()].every((field) => field >= 1 && field <= most);

const UNREAD = "it has a field that nobody reads here";

/**
 * Reads the message Transaction.Contract: TRX, a TRC-10 token, or a call of a token's contract. It may skip bytes; the caller
 * detects that by encoding the whole transaction again.
 */
export const readTronContract = (bytes: Uint8Array): ReadContract => {
  const fields = readProtobuf(bytes);
  if (fields === undefined) return "its contract is not the protobuf of one";
  if (fields.has(5)) return "another permission than the owner's signs it (Permission_id)";
  const value = messageIn(fields, 2);
  const inner = value === undefined ? undefined : messageIn(value, 2);
  if (value === undefined || inner === undefined) return "its contract is not the protobuf of one";
  switch (fields.get(1)) {
    case TYPES.TransferContract:
      return transferIn(inner);
    case TYPES.TransferAssetContract:
      return assetTransferIn(inner);
    case TYPES.TriggerSmartContract:
      return triggerIn(inner);
    default:
      return "it is neither a payment of TRX or a TRC-10 token nor a call of a token's contract";
  }
};

const transferIn = (fields: ProtobufFields): ReadContract => {
  const [from, to, amount] = [addressIn(fields, 1), addressIn(fields, 2), amountIn(fields, 3)];
  if (!knows(fields, 3)) return UNREAD;
  return from === undefined || to === undefined || amount === undefined
    ? "its sender, recipient or amount is missing or not valid"
    : { type: "TransferContract", from, to, amount };
};

const assetTransferIn = (fields: ProtobufFields): ReadContract => {
  const [from, to, amount] = [addressIn(fields, 2), addressIn(fields, 3), amountIn(fields, 4)];
  const name = fields.get(1);
  const tokenId = name instanceof Uint8Array ? String.fromCharCode(...name) : "";
  if (!knows(fields, 4)) return UNREAD;
  return from === undefined || to === undefined || amount === undefined || !TOKEN_ID.test(tokenId)
    ? "its token, sender, recipient or amount is missing or not valid"
    : { type: "TransferAssetContract", from, to, tokenId, amount };
};

const triggerIn = (fields: ProtobufFields): ReadContract => {
  if (fields.has(3) || fields.has(5) || fields.has(6)) return "it sends TRX or a TRC-10 token with a call";
  const [from, contract, data] = [addressIn(fields, 1), addressIn(fields, 2), fields.get(4)];
  const call = data instanceof Uint8Array ? decodeTronCall(data) : undefined;
  if (!knows(fields, 4)) return UNREAD;
  if (from === undefined || contract === undefined) return "its sender or contract is missing or not valid";
  return call === undefined
    ? "it calls something else than transfer(address,uint256) or safeTransferFrom(address,address,uint256)"
    : { type: "TriggerSmartContract", from, contract, call };
};
