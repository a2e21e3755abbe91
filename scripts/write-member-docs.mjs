// Writes docs/vendors/aws-members.md from the schemas and the compilers; part of `npm run docs`.
import { writeFile } from 'node:fs/promises';
import { documentedMembers, membersPage } from '../dist/almanac/members/page.js';

await writeFile(new URL('../docs/vendors/aws-members.md', import.meta.url), membersPage(documentedMembers()));
