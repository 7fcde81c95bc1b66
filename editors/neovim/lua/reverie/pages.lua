--- Pages: buffers named `reverie://…`, whose text the server tells.

local server = require("reverie.server")

local M = {}

--- Fill a buffer with the page of its name.
---@param buffer integer
---@param uri string
function M.open(buffer, uri)
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].undolevels = -1
  vim.bo[buffer].filetype = "reverie" -- not markdown: what renders that may load a memory's pictures
  pcall(vim.treesitter.start, buffer, "markdown")
  server.ask("workspace/textDocumentContent", { uri = uri }, function(result)
    if not vim.api.nvim_buf_is_valid(buffer) then
      return
    end
    vim.bo[buffer].modifiable = true
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(result.text, "\n", { trimempty = true }))
    vim.bo[buffer].modifiable = false
    vim.bo[buffer].modified = false
  end)
end

return M
