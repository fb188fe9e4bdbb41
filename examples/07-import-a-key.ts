// A key of one's own: sharded here, each share encrypted to one signer. It never travels whole.
// Off until the operators say otherwise: make up IMPORT=1.
import { verifyMessage, Wallet } from "ethers";
import { administrator } from "./cluster.ts";
import { shardKey } from "./key-client.ts";

const own = Wallet.createRandom();
const client = administrator();
const { clusters } = await client.signers.listSigners();
const shares = shardKey(BigInt(own.privateKey), clusters[0]?.signers ?? []);
const body = { network: "EthereumSepolia", name: "brought", ...shares } as const;
const wallet = await client.wallets.importWallet({ body });
console.log(`${wallet.id} has ${wallet.address === own.address ? "the address of our key" : wallet.address}`);

const { id: walletId } = wallet;
const signed = await client.wallets.generateSignature({
  walletId,
  body: { kind: "Message", message: "0x6869" },
});
const signer = verifyMessage("hi", signed.signature?.encoded ?? "");
console.log(`the signers sign for ${signer === own.address ? "our address" : signer}`);
