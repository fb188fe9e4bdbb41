// A program with a key of its own, that may do one thing.
import { generateKeyPairSync } from "node:crypto";
import { DfnsApiClient, DfnsError } from "@dfns/sdk";
import { AsymmetricKeySigner } from "@dfns/sdk-keysigner";
import { administrator, setting } from "./cluster.ts";

const client = administrator();
const permission = await client.permissions.createPermission({
  body: { name: `readers-${Date.now()}`, operations: ["Wallets:Read"] },
});
// the private key stays with the program
const { publicKey, privateKey } = generateKeyPairSync("ed25519", {
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const { userInfo, accessTokens } = await client.auth.createServiceAccount({
  body: { name: "bookkeeper", publicKey, permissionId: permission.id, daysValid: 90 },
});
const [token] = accessTokens;
if (token?.accessToken === undefined) throw new Error("there is no token");
console.log(`${userInfo.userId} may: ${permission.operations.join(", ")}`);

const program = new DfnsApiClient({
  baseUrl: setting("CONCLAVE_API"),
  orgId: setting("CONCLAVE_ORG"),
  authToken: token.accessToken, // shown this once
  signer: new AsymmetricKeySigner({ credId: token.credId, privateKey }),
});
console.log(`it reads wallets: ${Array.isArray((await program.wallets.listWallets()).items)}`);
const refused = await program.wallets
  .createWallet({ body: { network: "EthereumSepolia" } })
  .catch((error: unknown) => error);
if (refused instanceof DfnsError) console.log(`it creates none: ${refused.httpStatus} ${refused.message}`);
