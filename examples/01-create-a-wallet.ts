// A wallet: the signers make its key together, and none of them ever has it.
import { administrator } from "./cluster.ts";

const client = administrator();
const wallet = await client.wallets.createWallet({
  body: { network: "EthereumSepolia", name: "first", tags: ["desk:one"] },
});
console.log(`${wallet.id} is ${wallet.status}, its address is ${wallet.address}`);

// the same externalId and body give the same wallet: a call that was cut off can be repeated
const body = { network: "EthereumSepolia", externalId: `customer-${wallet.id}` } as const;
const [one, again] = [
  await client.wallets.createWallet({ body }),
  await client.wallets.createWallet({ body }),
];
console.log(`asked for twice: ${one.id === again.id ? "one wallet" : "two wallets"}`);
