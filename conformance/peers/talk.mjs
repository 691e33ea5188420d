// The one conversation that every client has with everything-server. Usage:
//   node talk.mjs FLAVOUR TRANSPORT TARGET [VERSION]
// FLAVOUR is v1 or v2, TRANSPORT is streamable, sse or stdio, TARGET is the
// address, or the program to start; VERSION is auto or the one to insist on,
// where the client has such a choice. The packages are found from the current
// folder. It prints nothing and exits 0, or says what went wrong; 3 means that
// the client does not have the transport.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import assert from 'node:assert/strict';

const [flavour, transportName, target, pinned] = process.argv.slice(2);
const require = createRequire(path.join(process.cwd(), 'package.json'));

async function load(name) {
	let file;
	try {
		file = require.resolve(name);
	} catch {
		return undefined;
	}
	return import(pathToFileURL(file.replace(/\/dist\/cjs\//, '/dist/esm/')));
}

async function clientAndTransport() {
	if (flavour === 'v1') {
		const sdk = '@modelcontextprotocol/sdk/client/';
		const { Client } = await load(sdk + 'index.js');
		const file = { streamable: 'streamableHttp.js', sse: 'sse.js', stdio: 'stdio.js' }[transportName];
		return [Client, await load(sdk + file)];
	}
	const client = await import(pathToFileURL(path.join(process.cwd(), 'node_modules/@modelcontextprotocol/client/dist/index.mjs')));
	const stdio = await import(pathToFileURL(path.join(process.cwd(), 'node_modules/@modelcontextprotocol/client/dist/stdio.mjs')));
	return [client.Client, { ...client, ...stdio }];
}

const [Client, transports] = await clientAndTransport();
const Transport = transports?.[{ streamable: 'StreamableHTTPClientTransport', sse: 'SSEClientTransport', stdio: 'StdioClientTransport' }[transportName]];
if (!Transport) {
	process.exit(3);
}
const transport = transportName === 'stdio' ? new Transport({ command: target, stderr: 'ignore' }) : new Transport(new URL(target));
const options = { capabilities: {} };
if (pinned) {
	options.versionNegotiation = { mode: pinned === 'auto' ? 'auto' : { pin: pinned } };
}
const client = new Client({ name: 'peer', version: '1' }, options);
await client.connect(transport);

if (pinned && pinned !== 'auto') {
	assert.equal(client.getNegotiatedProtocolVersion(), pinned, 'protocolVersion');
}
assert.equal(client.getServerVersion().name, 'everything-server', 'serverInfo');

const { tools } = await client.listTools();
assert.ok(tools.some((tool) => tool.name === 'test_simple_text'), 'tools/list');

const text = await client.callTool({ name: 'test_simple_text' });
assert.equal(text.content[0].text, 'This is a simple text response for testing.', 'tools/call');

const steps = [];
const onprogress = (p) => steps.push(p.progress);
const call = { name: 'test_tool_with_progress', arguments: {} };
if (flavour === 'v1') {
	await client.callTool(call, undefined, { onprogress });
} else {
	await client.callTool(call, { onprogress });
}
assert.deepEqual(steps, [0, 50, 100], 'progress');

const read = await client.readResource({ uri: 'test://static-text' });
assert.equal(read.contents[0].text, 'This is the content of the static text resource.', 'resources/read');

const prompt = await client.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } });
assert.match(prompt.messages[0].content.text, /arg1='a', arg2='b'/, 'prompts/get');

await assert.rejects(client.readResource({ uri: 'test://none' }), 'resources/read of nothing');

await client.close();
process.exit(0);
