import { SignerClient } from "@conclave/platform/grpc";
import { loadSettings } from "./config.ts";

/** Asks the signer of this environment for its health, over its own certificate: exit 0 when it serves. */
const DEADLINE_MS = 2_000;

const settings = await loadSettings(process.env).catch(() => undefined);
if (settings?.ok !== true) process.exit(1);
const { brain, listen, tls } = settings.value;
const address = listen.replace(/^0\.0\.0\.0:/, "127.0.0.1:");
const client = new SignerClient({ index: brain.self, address }, tls);
setTimeout(() => process.exit(1), DEADLINE_MS);
client.watchHealth((isServing) => process.exit(isServing ? 0 : 1));
