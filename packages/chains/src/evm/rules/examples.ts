import type { FamilyExamples } from "@conclave/custody";

const TO = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
/** transfer(address,uint256) of ERC-20: 2.5 units of a six-decimal token to the receiver above */
const CALL =
  "0xa9059cbb00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c800000000000000000000000000000000000000000000000000000000002625a0";
/** 0.001 ether to the receiver above, with account nonce 0: an unsigned EIP-1559 transaction, as every SDK encodes it */
const PAYMENT =
  "0x02f183aa36a780843b9aca0084b2d05e008252089470997970c51812dc3a010c7d01b50e0d17dc79c887038d7ea4c6800080c0";

export const EVM_EXAMPLES: FamilyExamples = {
  network: "EthereumSepolia",
  transfers: {
    "0.001 of the native coin": { kind: "Native", to: TO, amount: "1000000000000000" },
    "the native coin, in haste": { kind: "Native", to: TO, amount: "1000000000000000", priority: "Fast" },
    "2.5 of a token of six decimals (ERC-20)": { kind: "Erc20", contract: TOKEN, to: TO, amount: "2500000" },
    "a token that is one of a kind (ERC-721)": { kind: "Erc721", contract: TOKEN, to: TO, tokenId: "1" },
  },
  transactions: {
    "a payment, with all that is left out filled in": { kind: "Evm", to: TO, value: "1000000000000000" },
    "a call of a contract": { kind: "Evm", to: TOKEN, data: CALL },
    "a payment with fees of your own (EIP-1559)": {
      kind: "Eip1559",
      to: TO,
      value: "1000000000000000",
      gasLimit: "21000",
      maxFeePerGas: "3000000000",
      maxPriorityFeePerGas: "1000000000",
    },
    "a payment with a gas price (legacy)": {
      kind: "EvmLegacy",
      to: TO,
      value: "1000000000000000",
      gasLimit: "21000",
      gasPrice: "2000000000",
    },
  },
  signatures: {
    "a message (EIP-191)": { kind: "Eip191", message: "0x48656c6c6f" },
    "typed data (EIP-712)": {
      kind: "Eip712",
      types: {
        Mail: [
          { name: "to", type: "address" },
          { name: "contents", type: "string" },
        ],
      },
      domain: { name: "Example", version: "1", chainId: 11_155_111, verifyingContract: TOKEN },
      message: { to: TO, contents: "Hello" },
    },
    "a payment that is not sent": { kind: "Transaction", transaction: PAYMENT },
    "the account's code is a contract's (EIP-7702)": {
      kind: "Eip7702",
      address: TOKEN,
      nonce: 0,
      chainId: 11_155_111,
    },
  },
};
