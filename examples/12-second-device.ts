// Somebody's second device: the first one shows a code, and the second one registers a key of its own by it.
import { DfnsApiClient, DfnsAuthenticator } from "dfns-sdk-0-8-21";
import { administratorOptions, setting } from "./cluster.ts";
import { Device } from "./device.ts";

const baseUrl = setting("CONCLAVE_API");
const expiration = new Date(Date.now() + 5 * 60_000).toISOString();
const { code } = await new DfnsApiClient(administratorOptions()).auth.createCredentialCode({
  body: { expiration },
});

// the tablet has no token, and needs none: the code serves once
const tablet = new Device();
const { auth } = new DfnsApiClient({ baseUrl });
const begun = await auth.createCredentialChallengeWithCode({ body: { credentialKind: "Key", code } });
if (begun.kind !== "Key") throw new Error(`the challenge is for a ${begun.kind}`);
const made = await auth.createCredentialWithCode({
  body: {
    credentialKind: "Key",
    credentialName: "tablet",
    credentialInfo: tablet.attest(begun.challenge),
    challengeIdentifier: begun.challengeIdentifier,
  },
});
console.log(`${made.name} is active: ${made.isActive}`);

const again = await auth
  .createCredentialChallengeWithCode({ body: { credentialKind: "Key", code } })
  .catch((error: Error) => error.message);
console.log(`the code again: ${String(again)}`);

const login = new DfnsAuthenticator({ baseUrl, signer: tablet.signer() });
const { token } = await login.login({ orgId: setting("CONCLAVE_ORG"), username: "dev" });
console.log(`logged in with the tablet: ${token.length > 0}`);
