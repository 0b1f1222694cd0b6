// Uploads hostile spreadsheets one after another, between the messages `go` and `halt`. Runs in a separate process, so
// that the cost of large uploads does not delay the measured requests. The arguments are the API's URL, a key and a
// template.
import { once } from 'node:events';
import { hostileFiles } from '@switchboard/testing';

const [baseUrl = '', apiKey = '', templateName = '', language = ''] = process.argv.slice(2);
const files = Object.values(hostileFiles).map(({ file }) => new Blob([new Uint8Array(file())]));
let isWanted = false;
process.on('message', (order) => (isWanted = order === 'go'));
process.once('disconnect', () => process.exit(0));
process.send?.('ready');

for (;;) {
  if (!isWanted) await once(process, 'message');
  let refused = 0;
  for (; isWanted; refused += 1) await refuse(files[refused % files.length] as Blob);
  process.send?.(refused);
}

async function refuse(file: Blob): Promise<void> {
  const form = new FormData();
  form.append('templateName', templateName);
  form.append('language', language);
  form.append('customerExcel', file, 'customers.xlsx');
  const answer = await fetch(`${baseUrl}/messages/send/bulk/excel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: form,
  });
  const text = await answer.text();
  if (answer.status !== 400 || !text.includes('FILE_INVALID'))
    throw new Error(`a hostile file was answered ${answer.status}: ${text.slice(0, 300)}`);
}
