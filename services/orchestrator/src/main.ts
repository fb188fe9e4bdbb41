import { runOrchestrator } from "./run.ts";

void runOrchestrator((code) => process.exit(code));
