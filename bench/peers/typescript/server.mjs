// The benchmark tools with the official TypeScript SDK, written the way its README shows.
import { setTimeout } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as z from "zod";

const server = new McpServer({ name: "typescript", version: "1.32.2" });

const text = (text) => ({ content: [{ type: "text", text }] });

server.registerTool(
  "echo",
  { description: "returns its text", inputSchema: { text: z.string() } },
  async ({ text: t }) => text(t),
);

server.registerTool(
  "add",
  { description: "adds two integers", inputSchema: { a: z.number().int(), b: z.number().int() } },
  async ({ a, b }) => text(String(a + b)),
);

server.registerTool(
  "slow",
  { description: "answers after ms milliseconds", inputSchema: { ms: z.number().int().optional() } },
  async ({ ms }, { signal }) => {
    await setTimeout(ms ?? 0, undefined, { signal });
    return text("done");
  },
);

server.registerTool("panic", { description: "throws" }, async () => {
  throw new Error("asked to panic");
});

await server.connect(new StdioServerTransport());
