import { SignerClient } from "@conclave/platform/grpc";
import { loadSettings } from "@conclave/signer";

/**
 * Requests the health of the signer that this environment configures, with the signer's own certificate: exit code 0 if
 * it serves.
 */
const DEADLINE_MS = 2_000;

const check = async (): Promise<void> => {
  const settings = await loadSettings(process.env).catch(() => undefined);
  process.exitCode = 1;
  if (settings?.ok !== true) return;
  const { machine, listen, tls } = settings.value;
  const address = listen.replace(/^0\.0\.0\.0:/, "127.0.0.1:");
  const client = new SignerClient({ index: machine.self, address }, tls);
  const deadline = setTimeout(() => client.close(), DEADLINE_MS);
  const watch = client.watchHealth((isServing) => {
    process.exitCode = isServing ? 0 : 1;
    clearTimeout(deadline);
    watch.close();
    client.close();
  });
};

void check();
