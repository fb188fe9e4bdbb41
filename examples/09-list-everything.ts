// A personal access token, and everything that there is, page by page.
import { generateKeyPairSync } from "node:crypto";
import { DfnsApiClient } from "@dfns/sdk";
import { administrator, setting } from "./cluster.ts";

const { publicKey } = generateKeyPairSync("ed25519", {
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const person = administrator();
const pat = await person.auth.createPersonalAccessToken({
  body: { name: "report", publicKey, daysValid: 1 },
});
if (pat.accessToken === undefined) throw new Error("there is no token");
const client = new DfnsApiClient({ baseUrl: setting("CONCLAVE_API"), authToken: pat.accessToken });

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextPageToken?: string | undefined;
}
type Query = { limit: string; paginationToken?: string | undefined };

async function* everything<Item>(list: (query: Query) => Promise<Page<Item>>): AsyncGenerator<Item> {
  let paginationToken: string | undefined;
  do {
    const page = await list({ limit: "10", paginationToken });
    yield* page.items;
    paginationToken = page.nextPageToken;
  } while (paginationToken !== undefined);
}

const count = async (things: AsyncGenerator<unknown>): Promise<number> => {
  let many = 0;
  for await (const _ of things) many += 1;
  return many;
};

const wallets = await count(everything((query) => client.wallets.listWallets({ query })));
const keys = await count(everything((query) => client.keys.listKeys({ query })));
const policies = await count(everything((query) => client.policies.listPolicies({ query })));
console.log(`${wallets} wallets, ${keys} keys, ${policies} policies`);
await person.auth.archivePersonalAccessToken({ tokenId: pat.tokenId });
