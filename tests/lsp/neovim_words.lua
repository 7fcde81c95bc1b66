-- Run by test_neovim.py inside a real Neovim without reverie, or as an older one: opens files and
-- writes down what is said.

if vim.env.REVERIE_TEST_OLD then
  local has = vim.fn.has
  vim.fn.has = function(feature)
    return feature == "nvim-0.11" and 0 or has(feature)
  end
end
local said = {}
vim.notify = function(text)
  table.insert(said, text)
end
vim.cmd("filetype on")
vim.cmd.runtime("plugin/reverie.lua")
require("reverie").setup({ cmd = { "reverie-is-not-here", "lsp" } })
vim.cmd.edit("one.py")
vim.cmd.edit("two.py")
vim.wait(100)
if not vim.env.REVERIE_TEST_OLD then
  vim.cmd("Reverie search")
  vim.cmd("checkhealth reverie")
end
local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
vim.fn.writefile({ vim.json.encode({ said = said, health = lines }) }, vim.env.REVERIE_TEST_SAID)
vim.cmd("qall!")
