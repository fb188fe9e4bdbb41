import type { Vocabulary } from "./word.ts";

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const CONTRACT = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

/** Words of requests for transfers, transactions and signatures. */
export const REQUEST_WORDS: Vocabulary = {
  to: ["The receiver's address, as the network writes it.", ADDRESS],
  amount: [
    "How much, as digits in the smallest unit of the asset: `1000000000000000000` is 1 ether.",
    "1000000000000000",
  ],
  priority: ["How soon it shall land, and what it may cost: on EVM networks, Bitcoin and Solana alone."],
  sendAnyway: [
    "Whether to send although nobody could use what is sent to the recipient, such as a token's own contract, or although the token's `transfer` returns false when it is tried, on EVM networks; refused without it.",
    false,
  ],
  memo: [
    "A memo for the receiver, of letters and digits: on Stellar an id, a hash or a text, on the XRP Ledger a destination tag; other networks refuse it.",
  ],
  contract: ["The address of the token's contract.", CONTRACT],
  assetId: ["The asset's number on Algorand."],
  issuer: ["The account that issues the asset."],
  assetCode: ["The asset's code on Stellar."],
  mint: ["The address of the token's mint on Solana."],
  createDestinationAccount: [
    "Whether the receiver's token account is made, and paid for, if there is none.",
    true,
  ],
  "Trc10.tokenId": ["The token's number on TRON."],
  "Erc721.tokenId": ["The number of the token, which is one of a kind.", "1"],
  "Trc721.tokenId": ["The number of the token, which is one of a kind.", "1"],
  "Trc10Transfer.tokenId": ["The token's number on TRON."],
  "Erc721Transfer.tokenId": ["The number of the token, which is one of a kind.", "1"],
  "Trc721Transfer.tokenId": ["The number of the token, which is one of a kind.", "1"],
  "nfts.tokenId": ["The number of the token, which is one of a kind.", "1"],
  transaction: ["Hex of the unsigned transaction, whole, as the network serialises it."],
  psbt: ["Hex of the partially signed Bitcoin transaction (BIP-174)."],
  maxFee: [
    "The most that gathering coins may cost, in satoshis. Without it the network's cap counts.",
    "20000",
  ],
  maxFeeRate: [
    "The most that gathering coins may pay, in whole satoshis for each virtual byte. Coins that hold less than that costs are left.",
    "10",
  ],
  "Evm.to": ["The address that is called or paid; absent, with `data`, to deploy a contract.", ADDRESS],
  "Eip1559.to": ["The address that is called or paid; absent, with `data`, to deploy a contract.", ADDRESS],
  "EvmLegacy.to": ["The address that is called or paid; absent, with `data`, to deploy a contract.", ADDRESS],
  "Evm.value": ["Wei that are sent along, as digits or in hex; none when absent.", "1000000000000000"],
  "Eip1559.value": ["Wei that are sent along, as digits or in hex; none when absent.", "1000000000000000"],
  "EvmLegacy.value": ["Wei that are sent along, as digits or in hex; none when absent.", "1000000000000000"],
  data: ["Hex of what the contract is called with.", "0x"],
  nonce: ["The account nonce; leave it out, and the next free one is taken.", 0],
  gasLimit: ["Units of gas that may be used; estimated when absent.", "21000"],
  gasPrice: ["Wei for each unit of gas; asked from the chain when absent.", "2000000000"],
  maxFeePerGas: ["Wei for each unit of gas at most, the tip included.", "3000000000"],
  maxPriorityFeePerGas: ["Wei for each unit of gas as a tip.", "1000000000"],
  hash: [
    "Hex of the 32 bytes to be signed. Nobody sees what they stand for: policies can only allow or stop it.",
    `0x${"2b".repeat(32)}`,
  ],
  taprootMerkleRoot: [
    "Hex of the root of a Taproot script tree, by which a Schnorr key is tweaked; empty for none.",
  ],
  message: ["Hex of the bytes of the message.", "0x48656c6c6f"],
  "Eip712.message": ["The struct that is signed, member by member."],
  "Eip191.message": [
    "Hex of the bytes of the message; the prefix of EIP-191 is put before them here.",
    "0x48656c6c6f",
  ],
  types: [
    "The structs, by name: each a list of its members. The one that no other holds is signed.",
    {
      Mail: [{ name: "contents", type: "string" }],
    },
  ],
  domain: ["What the signature is good for (EIP-712): it is valid nowhere else."],
  "domain.name": ["The name of the application.", "Example"],
  version: ["The version of the application's messages.", "1"],
  chainId: ["The chain, as a number, digits or hex.", 11_155_111],
  verifyingContract: ["The contract that will check the signature.", CONTRACT],
  salt: ["32 bytes in hex that tell this domain from others."],
  "types.name": ["The name of the member.", "contents"],
  "types.type": ["The Solidity type of the member, or a struct of `types`.", "string"],
  blockchainKind: ["The family of chains that the bytes are for, where no `network` is named.", "Evm"],
};
