import { afterAll } from "vitest";
import { dropDatabases } from "./databases-of-file.ts";

// Vitest's setup file: it runs before each test file, so its hook runs after the file's own, which close their connections
afterAll(dropDatabases);
