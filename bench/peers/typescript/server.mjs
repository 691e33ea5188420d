// The benchmark tools with the official TypeScript SDK, written the way its README and its examples show: over stdio, or
// with --listen over Streamable HTTP.
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as z from "zod";
import { serve } from "./http.mjs";

const text = (text) => ({ content: [{ type: "text", text }] });

function getServer() {
  const server = new McpServer({ name: "typescript", version: "1.32.2" });

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

  return server;
}

const { values: flags } = parseArgs({
  options: {
    listen: { type: "string" }, // host:port to serve HTTP on
    stateless: { type: "boolean" }, // over HTTP, have no sessions
    json: { type: "boolean" }, // over HTTP, answer with JSON instead of events
  },
});

if (flags.listen) {
  serve(getServer, flags);
} else {
  await getServer().connect(new StdioServerTransport());
}
