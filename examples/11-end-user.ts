// A customer of yours: registered by your server, with a wallet that nobody else can spend from.
import { DfnsApiClient } from "dfns-sdk-0-8-21";
import { administratorOptions, setting } from "./cluster.ts";
import { Device } from "./device.ts";

const baseUrl = setting("CONCLAVE_API");
const server = new DfnsApiClient(administratorOptions());
const phone = new Device();

// your server vouches for them, and hands the challenge to their phone
const username = `shopper-${Date.now()}`;
const { challenge, temporaryAuthenticationToken } = await server.auth.createDelegatedRegistrationChallenge({
  body: { email: username, kind: "EndUser" },
});
// the phone: registers its key, and gets a wallet and a session in the same call
const { user, wallets, authentication } = await new DfnsApiClient({
  baseUrl,
  authToken: temporaryAuthenticationToken,
}).auth.registerEndUser({
  body: {
    firstFactorCredential: { credentialKind: "Key", credentialInfo: phone.attest(challenge) },
    wallets: [{ network: "EthereumSepolia", name: "savings" }],
  },
});
console.log(`${user.id} has ${wallets[0]?.id}`);

const shopper = new DfnsApiClient({ baseUrl, authToken: authentication.token, signer: phone.signer() });
console.log(`sees ${(await shopper.wallets.listWallets()).items.length} wallet, its own`);
// a later session, on the server's word: what the phone does not sign is still refused where signatures are asked for
const { token } = await server.auth.delegatedLogin({ body: { username } });
console.log(`logged in again: ${token.length > 0}`);
