import { runSigner } from "./run.ts";

await runSigner((code) => process.exit(code));
