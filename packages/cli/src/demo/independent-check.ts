import { Interface, Transaction } from "ethers";

const ERC20 = new Interface(["function transfer(address to, uint256 value)"]);

/** The contents of signed bytes as an independent library decodes them. */
export interface DecodedTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string;
  readonly chainId: bigint;
  readonly nonce: number;
  readonly value: bigint;
  /** of an ERC-20 transfer */
  readonly token?: { readonly to: string; readonly amount: bigint };
}

const tokenTransfer = (data: string): DecodedTransaction["token"] => {
  if (data === "0x") return undefined;
  const call = ERC20.parseTransaction({ data });
  return call === null ? undefined : { to: String(call.args[0]), amount: BigInt(call.args[1]) };
};

/** Decodes a raw transaction with ethers, which shares no code with the signers' decoder, and recovers its sender. */
export const decodeIndependently = (raw: string): DecodedTransaction => {
  const transaction = Transaction.from(raw);
  const token = tokenTransfer(transaction.data);
  return {
    hash: transaction.hash ?? "unsigned",
    from: transaction.from ?? "unsigned",
    to: transaction.to ?? "nobody",
    chainId: transaction.chainId,
    nonce: transaction.nonce,
    value: transaction.value,
    ...(token === undefined ? {} : { token }),
  };
};
