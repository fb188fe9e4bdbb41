import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { type JavaTronAddress, javaTronAddressOf } from "../address.ts";
import { JavaTronMessage, JavaTronWireRefused } from "../protobuf/wire-reader.ts";
import { readJavaTronAbi } from "./abi.ts";
import type {
  JavaTronAct,
  JavaTronAssetIssue,
  JavaTronSubmission,
  JavaTronTransaction,
} from "./transaction.ts";

/**
 * The transaction types that this ledger implements. @source protocol/core/Tron.proto: Transaction.Contract.ContractType
 */
const TYPES: ReadonlyMap<number, JavaTronAct["type"]> = new Map([
  [0, "AccountCreateContract"],
  [1, "TransferContract"],
  [2, "TransferAssetContract"],
  [6, "AssetIssueContract"],
  [30, "CreateSmartContract"],
  [31, "TriggerSmartContract"],
]);

const addressIn = (message: JavaTronMessage, number: number, name: string): JavaTronAddress => {
  const address = javaTronAddressOf(message.bytes(number));
  if (address === undefined) throw new JavaTronWireRefused(`Invalid ${name}!`);
  return address;
};

interface OwnedAct {
  readonly owner: JavaTronAddress;
  readonly act: JavaTronAct;
}

const ownerOf = (message: JavaTronMessage, number = 1): JavaTronAddress =>
  addressIn(message, number, "ownerAddress");

const transferOf = (bytes: Uint8Array): OwnedAct => {
  const message = new JavaTronMessage("TransferContract", bytes, [1, 2, 3]);
  const to = addressIn(message, 2, "toAddress");
  return { owner: ownerOf(message), act: { type: "TransferContract", to, amount: message.int64(3) } };
};

const assetTransferOf = (bytes: Uint8Array): OwnedAct => {
  const message = new JavaTronMessage("TransferAssetContract", bytes, [1, 2, 3, 4]);
  const act = {
    type: "TransferAssetContract",
    to: addressIn(message, 3, "toAddress"),
    assetId: message.text(1),
    amount: message.int64(4),
  } as const;
  return { owner: ownerOf(message, 2), act };
};

const triggerOf = (bytes: Uint8Array): OwnedAct => {
  const message = new JavaTronMessage("TriggerSmartContract", bytes, [1, 2, 3, 4]);
  const contract = addressIn(message, 2, "contractAddress");
  const act = {
    type: "TriggerSmartContract",
    contract,
    callValue: message.int64(3),
    data: message.bytes(4),
  } as const;
  return { owner: ownerOf(message), act };
};

const creationOf = (bytes: Uint8Array): OwnedAct => {
  const message = new JavaTronMessage("CreateSmartContract", bytes, [1, 2]);
  const owner = ownerOf(message);
  const made = new JavaTronMessage("SmartContract", message.bytes(2), [1, 3, 4, 5, 6, 7, 8]);
  if (addressIn(made, 1, "originAddress") !== owner) {
    throw new JavaTronWireRefused("OwnerAddress is not equals OriginAddress");
  }
  const abi = made.bytes(3);
  readJavaTronAbi(abi);
  const contract = {
    name: made.text(7),
    abi,
    bytecode: made.bytes(4),
    callValue: made.int64(5),
    consumeUserPercent: made.small(6),
    originEnergyLimit: made.int64(8),
  };
  return { owner, act: { type: "CreateSmartContract", contract } };
};

const assetIssueOf = (bytes: Uint8Array): OwnedAct => {
  const known = [1, 2, 3, 4, 6, 7, 8, 9, 10, 20, 21, 22, 23];
  const message = new JavaTronMessage("AssetIssueContract", bytes, known);
  const asset: JavaTronAssetIssue = {
    name: message.bytes(2),
    abbreviation: message.bytes(3),
    totalSupply: message.int64(4),
    trxNumber: message.small(6),
    precision: message.small(7),
    number: message.small(8),
    startTime: message.small(9),
    endTime: message.small(10),
    description: message.bytes(20),
    url: message.bytes(21),
    freeNetLimit: message.int64(22),
    publicFreeNetLimit: message.int64(23),
  };
  return { owner: ownerOf(message), act: { type: "AssetIssueContract", asset } };
};

const accountCreationOf = (bytes: Uint8Array): OwnedAct => {
  const message = new JavaTronMessage("AccountCreateContract", bytes, [1, 2]);
  const account = addressIn(message, 2, "account address");
  return { owner: ownerOf(message), act: { type: "AccountCreateContract", account } };
};

const ACTS: Readonly<Record<JavaTronAct["type"], (bytes: Uint8Array) => OwnedAct>> = {
  AccountCreateContract: accountCreationOf,
  TransferContract: transferOf,
  TransferAssetContract: assetTransferOf,
  AssetIssueContract: assetIssueOf,
  TriggerSmartContract: triggerOf,
  CreateSmartContract: creationOf,
};

const contractOf = (bytes: Uint8Array): OwnedAct & { readonly permissionId: number } => {
  const message = new JavaTronMessage("Transaction.Contract", bytes, [1, 2, 5]);
  const number = message.small(1);
  const type = TYPES.get(number);
  if (type === undefined) {
    throw new JavaTronWireRefused(
      `this ledger carries out no contract of type ${number}; it does ${[...TYPES.values()].join(", ")}`,
    );
  }
  const parameter = new JavaTronMessage("Any", message.bytes(2), [1, 2]);
  const url = parameter.text(1);
  if (url.split("/").at(-1) !== `protocol.${type}`) {
    throw new JavaTronWireRefused(`contract type error, expected type [${type}], real type [${url}]`);
  }
  return { ...ACTS[type](parameter.bytes(2)), permissionId: message.small(5) };
};

/** Decodes protocol.Transaction.raw. @throws JavaTronWireRefused */
const readRawData = (bytes: Uint8Array): JavaTronTransaction => {
  const message = new JavaTronMessage("Transaction.raw", bytes, [1, 4, 8, 10, 11, 14, 18]);
  const [contract, ...more] = message.list(11);
  if (contract === undefined || more.length > 0) {
    throw new JavaTronWireRefused("act size should be exactly 1, this is extend feature");
  }
  return {
    ...contractOf(contract),
    refBlockBytes: message.bytes(1),
    refBlockHash: message.bytes(4),
    expiration: message.small(8),
    timestamp: message.int64(14),
    data: message.bytes(10),
    feeLimit: message.int64(18),
  };
};

/** Decodes protocol.Transaction: raw_data and signatures. Results are refused. */
export const decodeJavaTronTransaction = (bytes: Uint8Array): Ruling<JavaTronSubmission> => {
  try {
    const message = new JavaTronMessage("Transaction", bytes, [1, 2]);
    const rawData = message.bytes(1);
    return granted({
      id: bytesToHex(sha256(rawData)),
      transaction: readRawData(rawData),
      rawData,
      signatures: message.list(2),
      size: bytes.length,
    });
  } catch (error) {
    if (error instanceof JavaTronWireRefused) return refusedWith(error.message);
    throw error;
  }
};
