// Signatures: a message and typed data, as any library of Ethereum checks them.
import { verifyMessage, verifyTypedData } from "ethers";
import { administrator } from "./cluster.ts";

const client = administrator();
const { id: walletId, address } = await client.wallets.createWallet({ body: { network: "EthereumSepolia" } });

const text = "I own this address";
const message = await client.wallets.generateSignature({
  walletId,
  body: { kind: "Message", message: `0x${Buffer.from(text).toString("hex")}` },
});
const signer = verifyMessage(text, message.signature?.encoded ?? "");
console.log(`the message is ${message.status} by ${signer === address ? "the wallet" : signer}`);

const domain = { name: "Desk", version: "1", chainId: 11155111 };
const types = {
  Order: [
    { name: "amount", type: "uint256" },
    { name: "to", type: "address" },
  ],
};
const order = { amount: "1000", to: address ?? "" };
const typed = await client.wallets.generateSignature({
  walletId,
  body: { kind: "Eip712", domain, types, message: order },
});
const author = verifyTypedData(domain, types, order, typed.signature?.encoded ?? "");
console.log(`the order is ${typed.status} by ${author === address ? "the wallet" : author}`);
