import { runSigner } from "./run.ts";

void runSigner((code) => process.exit(code));
